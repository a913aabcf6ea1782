BEGIN TRANSACTION;
CREATE TABLE account (
	subject TEXT NOT NULL, 
	name TEXT NOT NULL, 
	role TEXT NOT NULL, 
	updated DATETIME NOT NULL, 
	PRIMARY KEY (subject)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	created DATETIME NOT NULL, 
	subject TEXT NOT NULL, 
	name TEXT NOT NULL, 
	action TEXT NOT NULL, 
	design_id INTEGER, 
	revision INTEGER, 
	detail_json TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "audit" VALUES(1,'2026-01-01 00:00:01.000000','','ann','create design',1,1,'{"design": "Größe \"Pod\" A; DROP TABLE design", "note": "first\nsecond ''line''", "scenario_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}');
INSERT INTO "audit" VALUES(2,'2026-01-01 00:00:02.000000','','bob','save revision',1,2,'{"note": "ÄÖ ✓", "scenario_hash": ""}');
INSERT INTO "audit" VALUES(3,'2026-01-01 00:00:03.000000','','carl','create design',2,1,'{"design": "in review", "note": "", "scenario_hash": ""}');
INSERT INTO "audit" VALUES(4,'2026-01-01 00:00:04.000000','','carl','create design',3,1,'{"design": "put away", "note": "", "scenario_hash": ""}');
INSERT INTO "audit" VALUES(5,'2026-01-01 00:00:05.000000','','','archive design',3,NULL,'{"was": "put away", "name_now": "put away"}');
INSERT INTO "audit" VALUES(6,'2026-01-01 00:00:07.000000','','carl','submit',2,1,'{"note": ""}');
INSERT INTO "audit" VALUES(7,'2026-01-01 00:00:08.000000','','ann','comment',1,1,'{"thread": 1, "on": "section Cost"}');
INSERT INTO "audit" VALUES(8,'2026-01-01 00:00:09.000000','','bob','reply',1,1,'{"thread": 1, "on": "section Cost"}');
INSERT INTO "audit" VALUES(9,'2026-01-01 00:00:10.000000','','','resolve',1,1,'{"thread": 1, "on": "section Cost"}');
INSERT INTO "audit" VALUES(10,'2026-01-01 00:00:11.000000','','ann','add requirement',1,NULL,'{"number": 1, "version": 1}');
INSERT INTO "audit" VALUES(11,'2026-01-01 00:00:12.000000','','ann','add decision',1,NULL,'{"number": 1, "version": 1}');
INSERT INTO "audit" VALUES(12,'2026-01-01 00:00:13.000000','','ann','add risk',1,NULL,'{"number": 1, "version": 1}');
CREATE TABLE comment (
	id INTEGER NOT NULL, 
	thread_id INTEGER NOT NULL, 
	subject TEXT NOT NULL, 
	name TEXT NOT NULL, 
	text TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(thread_id) REFERENCES thread (id)
);
INSERT INTO "comment" VALUES(1,1,'','ann','=1+1 <b>dear</b>','2026-01-01 00:00:08.000000');
INSERT INTO "comment" VALUES(2,1,'','bob','answer','2026-01-01 00:00:09.000000');
CREATE TABLE design (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	name_folded TEXT NOT NULL, 
	latest_revision INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	archived BOOLEAN NOT NULL, 
	author TEXT NOT NULL, 
	key_results TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	updated DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "design" VALUES(1,'Größe "Pod" A; DROP TABLE design','grösse "pod" a; drop table design',2,'approved',0,'bob','{}','2026-01-01 00:00:01.000000','2026-01-01 00:00:02.000000');
INSERT INTO "design" VALUES(2,'in review','in review',1,'in review',0,'carl','{}','2026-01-01 00:00:03.000000','2026-01-01 00:00:07.000000');
INSERT INTO "design" VALUES(3,'put away','put away',1,'draft',1,'carl','{}','2026-01-01 00:00:04.000000','2026-01-01 00:00:05.000000');
CREATE TABLE draft (
	"key" TEXT NOT NULL, 
	content_json TEXT NOT NULL, 
	base_design_id INTEGER, 
	base_revision INTEGER, 
	updated DATETIME NOT NULL, 
	PRIMARY KEY ("key"), 
	CONSTRAINT fk_draft_base FOREIGN KEY(base_design_id, base_revision) REFERENCES revision (design_id, number)
);
INSERT INTO "draft" VALUES('kkkkkkkkkkkkkkkkkkkkkk','{"a": 1}',1,2,'2026-01-01 00:00:06.000000');
CREATE TABLE entry (
	design_id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	content_json TEXT NOT NULL, 
	withdrawn BOOLEAN NOT NULL, 
	subject TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	PRIMARY KEY (design_id, kind, number, version), 
	FOREIGN KEY(design_id) REFERENCES design (id)
);
INSERT INTO "entry" VALUES(1,'requirement',1,1,'{"ref": "R-1", "text": "Stall below half a minute", "result": "Key figures / Stall", "measure": "at most", "target": 30.0, "level": "must"}',0,'','ann','2026-01-01 00:00:11.000000');
INSERT INTO "entry" VALUES(1,'decision',1,1,'{"problem": "Transport?", "options": "RDMA\nTCP", "choice": "RDMA", "reason": "faster", "consequence": "PFC"}',0,'','ann','2026-01-01 00:00:12.000000');
INSERT INTO "entry" VALUES(1,'risk',1,1,'{"kind": "risk", "text": "Drives are late", "owner": "Ann", "due": null, "subject": "", "outcome": "", "open": true}',0,'','ann','2026-01-01 00:00:13.000000');
CREATE TABLE review_step (
	id INTEGER NOT NULL, 
	design_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	source TEXT NOT NULL, 
	target TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	name TEXT NOT NULL, 
	note TEXT NOT NULL, 
	signed_hash TEXT NOT NULL, 
	record_json TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT fk_review_step_revision FOREIGN KEY(design_id, revision) REFERENCES revision (design_id, number)
);
INSERT INTO "review_step" VALUES(1,2,1,'submit','draft','in review','','carl','','','{}','2026-01-01 00:00:07.000000');
CREATE TABLE revision (
	design_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	created DATETIME NOT NULL, 
	author TEXT NOT NULL, 
	note TEXT NOT NULL, 
	schema_version INTEGER NOT NULL, 
	scenario_json TEXT NOT NULL, 
	key_results TEXT NOT NULL, 
	scenario_hash TEXT NOT NULL, 
	catalogue_hash TEXT NOT NULL, 
	engine_version TEXT NOT NULL, price_hash TEXT DEFAULT '' NOT NULL, saved_by TEXT DEFAULT '' NOT NULL, state TEXT DEFAULT 'draft' NOT NULL, 
	PRIMARY KEY (design_id, number), 
	FOREIGN KEY(design_id) REFERENCES design (id)
);
INSERT INTO "revision" VALUES(1,1,'2026-01-01 00:00:01.000000','ann','first
second ''line''',1,'{"a": 1}','{"Stall": 1.5, "Power": null}','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','0.1.0','','','draft');
INSERT INTO "revision" VALUES(1,2,'2026-01-01 00:00:02.000000','bob','ÄÖ ✓',1,'{"cluster": {}}','{}','','','','','','approved');
INSERT INTO "revision" VALUES(2,1,'2026-01-01 00:00:03.000000','carl','',1,'{}','{}','','','','','','in review');
INSERT INTO "revision" VALUES(3,1,'2026-01-01 00:00:04.000000','carl','',1,'{}','{}','','','','','','draft');
CREATE TABLE thread (
	id INTEGER NOT NULL, 
	design_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	open BOOLEAN NOT NULL, 
	changed_by TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	updated DATETIME NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT fk_thread_revision FOREIGN KEY(design_id, revision) REFERENCES revision (design_id, number)
);
INSERT INTO "thread" VALUES(1,1,1,'section','Cost',0,'','2026-01-01 00:00:08.000000','2026-01-01 00:00:10.000000');
CREATE TABLE waiver (
	id INTEGER NOT NULL, 
	design_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	message TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	account TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	revoked DATETIME, 
	PRIMARY KEY (id), 
	CONSTRAINT fk_waiver_revision FOREIGN KEY(design_id, revision) REFERENCES revision (design_id, number)
);
CREATE INDEX ix_design_list ON design (archived, updated, id);
CREATE INDEX ix_draft_updated ON draft (updated);
CREATE INDEX ix_audit_design ON audit (design_id, id);
CREATE INDEX ix_review_step_revision ON review_step (design_id, revision);
CREATE INDEX ix_waiver_revision ON waiver (design_id, revision);
CREATE INDEX ix_thread_revision ON thread (design_id, revision);
CREATE INDEX ix_comment_thread ON comment (thread_id);
CREATE TRIGGER audit_no_change BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'rows of audit are kept as they were written'); END;
CREATE TRIGGER audit_no_removal BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'rows of audit are kept as they were written'); END;
CREATE TRIGGER review_step_no_change BEFORE UPDATE ON review_step BEGIN SELECT RAISE(ABORT, 'rows of review_step are kept as they were written'); END;
CREATE TRIGGER review_step_no_removal BEFORE DELETE ON review_step BEGIN SELECT RAISE(ABORT, 'rows of review_step are kept as they were written'); END;
CREATE TRIGGER comment_no_change BEFORE UPDATE ON comment BEGIN SELECT RAISE(ABORT, 'rows of comment are kept as they were written'); END;
CREATE TRIGGER comment_no_removal BEFORE DELETE ON comment BEGIN SELECT RAISE(ABORT, 'rows of comment are kept as they were written'); END;
CREATE TRIGGER entry_no_change BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'rows of entry are kept as they were written'); END;
CREATE TRIGGER entry_no_removal BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'rows of entry are kept as they were written'); END;
CREATE TRIGGER revision_no_change BEFORE UPDATE OF design_id, number, created, author, note, schema_version, scenario_json, key_results, scenario_hash, catalogue_hash, engine_version, price_hash, saved_by ON revision BEGIN SELECT RAISE(ABORT, 'rows of revision are kept as they were written'); END;
CREATE TRIGGER revision_no_removal BEFORE DELETE ON revision BEGIN SELECT RAISE(ABORT, 'rows of revision are kept as they were written'); END;
COMMIT;
