--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: audit_is_kept(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.audit_is_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'rows of audit are kept as they were written'; END $$;


--
-- Name: comment_is_kept(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.comment_is_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'rows of comment are kept as they were written'; END $$;


--
-- Name: entry_is_kept(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.entry_is_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'rows of entry are kept as they were written'; END $$;


--
-- Name: review_step_is_kept(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.review_step_is_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'rows of review_step are kept as they were written'; END $$;


--
-- Name: revision_is_kept(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.revision_is_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'rows of revision are kept as they were written'; END $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: account; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account (
    subject text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    updated timestamp with time zone NOT NULL
);


--
-- Name: alembic_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);


--
-- Name: audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    action text NOT NULL,
    design_id integer,
    revision integer,
    detail_json text NOT NULL
);


--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.audit_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: audit_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.audit_id_seq OWNED BY public.audit.id;


--
-- Name: comment; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.comment (
    id integer NOT NULL,
    thread_id integer NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    text text NOT NULL,
    created timestamp with time zone NOT NULL
);


--
-- Name: comment_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.comment_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: comment_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.comment_id_seq OWNED BY public.comment.id;


--
-- Name: design; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.design (
    id integer NOT NULL,
    name text NOT NULL,
    name_folded text NOT NULL,
    latest_revision integer NOT NULL,
    status text NOT NULL,
    archived boolean NOT NULL,
    author text NOT NULL,
    key_results text NOT NULL,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL
);


--
-- Name: design_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.design_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: design_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.design_id_seq OWNED BY public.design.id;


--
-- Name: draft; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.draft (
    key text NOT NULL,
    content_json text NOT NULL,
    base_design_id integer,
    base_revision integer,
    updated timestamp with time zone NOT NULL
);


--
-- Name: entry; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.entry (
    design_id integer NOT NULL,
    kind text NOT NULL,
    number integer NOT NULL,
    version integer NOT NULL,
    content_json text NOT NULL,
    withdrawn boolean NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    created timestamp with time zone NOT NULL
);


--
-- Name: review_step; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.review_step (
    id integer NOT NULL,
    design_id integer NOT NULL,
    revision integer NOT NULL,
    action text NOT NULL,
    source text NOT NULL,
    target text NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    note text NOT NULL,
    signed_hash text NOT NULL,
    record_json text NOT NULL,
    created timestamp with time zone NOT NULL
);


--
-- Name: review_step_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.review_step_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: review_step_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.review_step_id_seq OWNED BY public.review_step.id;


--
-- Name: revision; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.revision (
    design_id integer NOT NULL,
    number integer NOT NULL,
    created timestamp with time zone NOT NULL,
    author text NOT NULL,
    note text NOT NULL,
    schema_version integer NOT NULL,
    scenario_json text NOT NULL,
    key_results text NOT NULL,
    scenario_hash text NOT NULL,
    catalogue_hash text NOT NULL,
    engine_version text NOT NULL,
    price_hash text DEFAULT ''::text NOT NULL,
    saved_by text DEFAULT ''::text NOT NULL,
    state text DEFAULT 'draft'::text NOT NULL
);


--
-- Name: thread; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.thread (
    id integer NOT NULL,
    design_id integer NOT NULL,
    revision integer NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    open boolean NOT NULL,
    changed_by text NOT NULL,
    created timestamp with time zone NOT NULL,
    updated timestamp with time zone NOT NULL
);


--
-- Name: thread_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.thread_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: thread_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.thread_id_seq OWNED BY public.thread.id;


--
-- Name: waiver; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.waiver (
    id integer NOT NULL,
    design_id integer NOT NULL,
    revision integer NOT NULL,
    code text NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    reason text NOT NULL,
    account text NOT NULL,
    name text NOT NULL,
    created timestamp with time zone NOT NULL,
    revoked timestamp with time zone
);


--
-- Name: waiver_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.waiver_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: waiver_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.waiver_id_seq OWNED BY public.waiver.id;


--
-- Name: audit id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit ALTER COLUMN id SET DEFAULT nextval('public.audit_id_seq'::regclass);


--
-- Name: comment id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment ALTER COLUMN id SET DEFAULT nextval('public.comment_id_seq'::regclass);


--
-- Name: design id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.design ALTER COLUMN id SET DEFAULT nextval('public.design_id_seq'::regclass);


--
-- Name: review_step id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.review_step ALTER COLUMN id SET DEFAULT nextval('public.review_step_id_seq'::regclass);


--
-- Name: thread id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.thread ALTER COLUMN id SET DEFAULT nextval('public.thread_id_seq'::regclass);


--
-- Name: waiver id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.waiver ALTER COLUMN id SET DEFAULT nextval('public.waiver_id_seq'::regclass);


--
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alembic_version VALUES ('0002');


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit VALUES (1, '2026-01-01 00:00:01+00', '', 'ann', 'create design', 1, 1, '{"design": "Größe \"Pod\" A; DROP TABLE design", "note": "first\nsecond ''line''", "scenario_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}');
INSERT INTO public.audit VALUES (2, '2026-01-01 00:00:02+00', '', 'bob', 'save revision', 1, 2, '{"note": "ÄÖ ✓", "scenario_hash": ""}');
INSERT INTO public.audit VALUES (3, '2026-01-01 00:00:03+00', '', 'carl', 'create design', 2, 1, '{"design": "in review", "note": "", "scenario_hash": ""}');
INSERT INTO public.audit VALUES (4, '2026-01-01 00:00:04+00', '', 'carl', 'create design', 3, 1, '{"design": "put away", "note": "", "scenario_hash": ""}');
INSERT INTO public.audit VALUES (5, '2026-01-01 00:00:05+00', '', '', 'archive design', 3, NULL, '{"was": "put away", "name_now": "put away"}');
INSERT INTO public.audit VALUES (6, '2026-01-01 00:00:07+00', '', 'carl', 'submit', 2, 1, '{"note": ""}');
INSERT INTO public.audit VALUES (7, '2026-01-01 00:00:08+00', '', 'ann', 'comment', 1, 1, '{"thread": 1, "on": "section Cost"}');
INSERT INTO public.audit VALUES (8, '2026-01-01 00:00:09+00', '', 'bob', 'reply', 1, 1, '{"thread": 1, "on": "section Cost"}');
INSERT INTO public.audit VALUES (9, '2026-01-01 00:00:10+00', '', '', 'resolve', 1, 1, '{"thread": 1, "on": "section Cost"}');
INSERT INTO public.audit VALUES (10, '2026-01-01 00:00:11+00', '', 'ann', 'add requirement', 1, NULL, '{"number": 1, "version": 1}');
INSERT INTO public.audit VALUES (11, '2026-01-01 00:00:12+00', '', 'ann', 'add decision', 1, NULL, '{"number": 1, "version": 1}');
INSERT INTO public.audit VALUES (12, '2026-01-01 00:00:13+00', '', 'ann', 'add risk', 1, NULL, '{"number": 1, "version": 1}');


--
-- Data for Name: comment; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.comment VALUES (1, 1, '', 'ann', '=1+1 <b>dear</b>', '2026-01-01 00:00:08+00');
INSERT INTO public.comment VALUES (2, 1, '', 'bob', 'answer', '2026-01-01 00:00:09+00');


--
-- Data for Name: design; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.design VALUES (3, 'put away', 'put away', 1, 'draft', true, 'carl', '{}', '2026-01-01 00:00:04+00', '2026-01-01 00:00:05+00');
INSERT INTO public.design VALUES (2, 'in review', 'in review', 1, 'in review', false, 'carl', '{}', '2026-01-01 00:00:03+00', '2026-01-01 00:00:07+00');
INSERT INTO public.design VALUES (1, 'Größe "Pod" A; DROP TABLE design', 'grösse "pod" a; drop table design', 2, 'approved', false, 'bob', '{}', '2026-01-01 00:00:01+00', '2026-01-01 00:00:02+00');


--
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.draft VALUES ('kkkkkkkkkkkkkkkkkkkkkk', '{"a": 1}', 1, 2, '2026-01-01 00:00:06+00');


--
-- Data for Name: entry; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.entry VALUES (1, 'requirement', 1, 1, '{"ref": "R-1", "text": "Stall below half a minute", "result": "Key figures / Stall", "measure": "at most", "target": 30.0, "level": "must"}', false, '', 'ann', '2026-01-01 00:00:11+00');
INSERT INTO public.entry VALUES (1, 'decision', 1, 1, '{"problem": "Transport?", "options": "RDMA\nTCP", "choice": "RDMA", "reason": "faster", "consequence": "PFC"}', false, '', 'ann', '2026-01-01 00:00:12+00');
INSERT INTO public.entry VALUES (1, 'risk', 1, 1, '{"kind": "risk", "text": "Drives are late", "owner": "Ann", "due": null, "subject": "", "outcome": "", "open": true}', false, '', 'ann', '2026-01-01 00:00:13+00');


--
-- Data for Name: review_step; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.review_step VALUES (1, 2, 1, 'submit', 'draft', 'in review', '', 'carl', '', '', '{}', '2026-01-01 00:00:07+00');


--
-- Data for Name: revision; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.revision VALUES (1, 1, '2026-01-01 00:00:01+00', 'ann', 'first
second ''line''', 1, '{"a": 1}', '{"Stall": 1.5, "Power": null}', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '0.1.0', '', '', 'draft');
INSERT INTO public.revision VALUES (3, 1, '2026-01-01 00:00:04+00', 'carl', '', 1, '{}', '{}', '', '', '', '', '', 'draft');
INSERT INTO public.revision VALUES (2, 1, '2026-01-01 00:00:03+00', 'carl', '', 1, '{}', '{}', '', '', '', '', '', 'in review');
INSERT INTO public.revision VALUES (1, 2, '2026-01-01 00:00:02+00', 'bob', 'ÄÖ ✓', 1, '{"cluster": {}}', '{}', '', '', '', '', '', 'approved');


--
-- Data for Name: thread; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.thread VALUES (1, 1, 1, 'section', 'Cost', false, '', '2026-01-01 00:00:08+00', '2026-01-01 00:00:10+00');


--
-- Data for Name: waiver; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_id_seq', 12, true);


--
-- Name: comment_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.comment_id_seq', 2, true);


--
-- Name: design_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.design_id_seq', 3, true);


--
-- Name: review_step_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.review_step_id_seq', 1, true);


--
-- Name: thread_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.thread_id_seq', 1, true);


--
-- Name: waiver_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.waiver_id_seq', 1, false);


--
-- Name: account account_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (subject);


--
-- Name: alembic_version alembic_version_pkc; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);


--
-- Name: comment comment_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_pkey PRIMARY KEY (id);


--
-- Name: design design_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.design
    ADD CONSTRAINT design_pkey PRIMARY KEY (id);


--
-- Name: draft draft_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_pkey PRIMARY KEY (key);


--
-- Name: entry entry_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (design_id, kind, number, version);


--
-- Name: review_step review_step_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.review_step
    ADD CONSTRAINT review_step_pkey PRIMARY KEY (id);


--
-- Name: revision revision_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.revision
    ADD CONSTRAINT revision_pkey PRIMARY KEY (design_id, number);


--
-- Name: thread thread_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT thread_pkey PRIMARY KEY (id);


--
-- Name: waiver waiver_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.waiver
    ADD CONSTRAINT waiver_pkey PRIMARY KEY (id);


--
-- Name: ix_audit_design; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_audit_design ON public.audit USING btree (design_id, id);


--
-- Name: ix_comment_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_comment_thread ON public.comment USING btree (thread_id);


--
-- Name: ix_design_list; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_design_list ON public.design USING btree (archived, updated, id);


--
-- Name: ix_draft_updated; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_draft_updated ON public.draft USING btree (updated);


--
-- Name: ix_review_step_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_review_step_revision ON public.review_step USING btree (design_id, revision);


--
-- Name: ix_thread_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_thread_revision ON public.thread USING btree (design_id, revision);


--
-- Name: ix_waiver_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_waiver_revision ON public.waiver USING btree (design_id, revision);


--
-- Name: audit audit_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_no_change BEFORE UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.audit_is_kept();


--
-- Name: audit audit_no_removal; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_no_removal BEFORE DELETE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.audit_is_kept();


--
-- Name: audit audit_no_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_no_truncation BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.audit_is_kept();


--
-- Name: comment comment_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER comment_no_change BEFORE UPDATE ON public.comment FOR EACH ROW EXECUTE FUNCTION public.comment_is_kept();


--
-- Name: comment comment_no_removal; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER comment_no_removal BEFORE DELETE ON public.comment FOR EACH ROW EXECUTE FUNCTION public.comment_is_kept();


--
-- Name: comment comment_no_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER comment_no_truncation BEFORE TRUNCATE ON public.comment FOR EACH STATEMENT EXECUTE FUNCTION public.comment_is_kept();


--
-- Name: entry entry_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_no_change BEFORE UPDATE ON public.entry FOR EACH ROW EXECUTE FUNCTION public.entry_is_kept();


--
-- Name: entry entry_no_removal; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_no_removal BEFORE DELETE ON public.entry FOR EACH ROW EXECUTE FUNCTION public.entry_is_kept();


--
-- Name: entry entry_no_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_no_truncation BEFORE TRUNCATE ON public.entry FOR EACH STATEMENT EXECUTE FUNCTION public.entry_is_kept();


--
-- Name: review_step review_step_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_step_no_change BEFORE UPDATE ON public.review_step FOR EACH ROW EXECUTE FUNCTION public.review_step_is_kept();


--
-- Name: review_step review_step_no_removal; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_step_no_removal BEFORE DELETE ON public.review_step FOR EACH ROW EXECUTE FUNCTION public.review_step_is_kept();


--
-- Name: review_step review_step_no_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_step_no_truncation BEFORE TRUNCATE ON public.review_step FOR EACH STATEMENT EXECUTE FUNCTION public.review_step_is_kept();


--
-- Name: revision revision_no_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER revision_no_change BEFORE UPDATE OF design_id, number, created, author, note, schema_version, scenario_json, key_results, scenario_hash, catalogue_hash, engine_version, price_hash, saved_by ON public.revision FOR EACH ROW EXECUTE FUNCTION public.revision_is_kept();


--
-- Name: revision revision_no_removal; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER revision_no_removal BEFORE DELETE ON public.revision FOR EACH ROW EXECUTE FUNCTION public.revision_is_kept();


--
-- Name: revision revision_no_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER revision_no_truncation BEFORE TRUNCATE ON public.revision FOR EACH STATEMENT EXECUTE FUNCTION public.revision_is_kept();


--
-- Name: comment comment_thread_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.comment
    ADD CONSTRAINT comment_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.thread(id);


--
-- Name: entry entry_design_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_design_id_fkey FOREIGN KEY (design_id) REFERENCES public.design(id);


--
-- Name: draft fk_draft_base; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT fk_draft_base FOREIGN KEY (base_design_id, base_revision) REFERENCES public.revision(design_id, number);


--
-- Name: review_step fk_review_step_revision; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.review_step
    ADD CONSTRAINT fk_review_step_revision FOREIGN KEY (design_id, revision) REFERENCES public.revision(design_id, number);


--
-- Name: thread fk_thread_revision; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT fk_thread_revision FOREIGN KEY (design_id, revision) REFERENCES public.revision(design_id, number);


--
-- Name: waiver fk_waiver_revision; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.waiver
    ADD CONSTRAINT fk_waiver_revision FOREIGN KEY (design_id, revision) REFERENCES public.revision(design_id, number);


--
-- Name: revision revision_design_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.revision
    ADD CONSTRAINT revision_design_id_fkey FOREIGN KEY (design_id) REFERENCES public.design(id);


--
-- PostgreSQL database dump complete
--


