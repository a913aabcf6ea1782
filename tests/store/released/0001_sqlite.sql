BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
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
INSERT INTO "design" VALUES(1,'Größe "Pod" A; DROP TABLE design','grösse "pod" a; drop table design',2,'approved',0,'bob','{}','2026-01-01 00:00:01.000000','2026-01-01 00:00:03.000000');
INSERT INTO "design" VALUES(2,'in review','in review',1,'in review',0,'','{}','2026-01-01 00:00:04.000000','2026-01-01 00:00:05.000000');
INSERT INTO "design" VALUES(3,'put away','put away',1,'draft',1,'','{}','2026-01-01 00:00:06.000000','2026-01-01 00:00:07.000000');
CREATE TABLE draft (
	"key" TEXT NOT NULL, 
	content_json TEXT NOT NULL, 
	base_design_id INTEGER, 
	base_revision INTEGER, 
	updated DATETIME NOT NULL, 
	PRIMARY KEY ("key"), 
	CONSTRAINT fk_draft_base FOREIGN KEY(base_design_id, base_revision) REFERENCES revision (design_id, number)
);
INSERT INTO "draft" VALUES('kkkkkkkkkkkkkkkkkkkkkk','{"a": 1}',1,2,'2026-01-01 00:00:08.000000');
INSERT INTO "draft" VALUES('dddddddddddddddddddddd','{"b": "=1+1"}',NULL,NULL,'2026-01-01 00:00:09.000000');
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
	engine_version TEXT NOT NULL, 
	PRIMARY KEY (design_id, number), 
	FOREIGN KEY(design_id) REFERENCES design (id)
);
INSERT INTO "revision" VALUES(1,1,'2026-01-01 00:00:01.000000','ann','first
second ''line''',1,'{
  "schema_version": 1,
  "name": "Pod A",
  "basis": "evidence",
  "cluster": {
    "node_id": "gb200-tray",
    "node_count": 64,
    "gpus_per_node_count": null,
    "storage_port_count": null,
    "storage_port_bytes_per_s": null,
    "local_drive_count": null,
    "local_drive_bytes": null,
    "local_reserved_bytes": 500000000000.0,
    "host_memory_bytes": null,
    "gpu_copy_bytes_per_s": 25000000000.0,
    "failure_rate_id": "llama3",
    "failures_per_1000_gpu_days": null
  },
  "jobs": [
    {
      "name": "Training",
      "node_count": null,
      "model": {
        "name": "Llama 3 70B",
        "parameter_count": 70553706496.0,
        "active_parameter_count": null,
        "recipe_id": null,
        "bytes_per_parameter_bytes": null,
        "weight_bytes": null,
        "master_bytes": null,
        "first_moment_bytes": null,
        "second_moment_bytes": null,
        "extra_bytes": null,
        "gradient_bytes": null,
        "layer_count": null,
        "hidden_count": null,
        "embedding_parameter_count": null,
        "expert_parameter_count": null,
        "adapter_parameter_count": null,
        "adapter_rank_count": 16,
        "adapter_matrix_count": 2
      },
      "parallelism": {
        "tensor_parallel_count": 1,
        "pipeline_parallel_count": 1,
        "expert_parallel_count": 1,
        "data_parallel_count": null,
        "sharding_stage": null,
        "file_layout": "zero-files",
        "rank_order": "data-first",
        "restart_read": null,
        "writer_bytes_per_s": null
      },
      "checkpoint": {
        "interval_s": 1800.0,
        "interval_step_count": null,
        "step_s": null,
        "mode": "sync",
        "fast_interval_s": null,
        "fast_stall_s": null,
        "fast_fraction": 0.8,
        "target_s": null,
        "waste_budget_fraction": 0.02,
        "async_stall_s": 6.0,
        "async_buffer_count": 1.0,
        "retained_count": 5,
        "in_flight_count": 1,
        "application_copies_count": 1,
        "block_bytes": 8388608.0,
        "cold_every_count": 1,
        "cold_keep_all": false,
        "cold_keep_days": 1.0,
        "milestones_per_day": 1.0,
        "run_days": 90.0,
        "restart_s": 600.0
      },
      "ingest": {
        "basis": "tokens",
        "preset_id": "resnet50-h100",
        "utilisation_fraction": 1.0,
        "modality": "text",
        "tokens_per_s": null,
        "token_bytes": 4.0,
        "flops_utilisation_fraction": 0.4,
        "sample_bytes": 114660.0,
        "samples_per_s": 1786.0,
        "step_s": 0.224,
        "read_bytes_per_s": 1000000000.0,
        "rate_scope": "job",
        "file_bytes": null,
        "dataset_bytes": 50000000000000.0,
        "raw_dataset_bytes": 60000000000000.0,
        "expansion_ratio": 1.0,
        "refresh_days": 30.0,
        "block_bytes": 1000000.0,
        "worker_count": 4,
        "prefetch_count": 2,
        "batch_count": 32,
        "decoded_sample_bytes": 1000000.0,
        "wan_bytes_per_s": 1250000000.0,
        "preprocess_core_count": 64,
        "sample_cpu_s": 0.001,
        "use_local_cache": true
      }
    }
  ],
  "burst_coincidence": "largest",
  "storage": {
    "hot": {
      "architecture": null,
      "platform_id": null,
      "drive_id": "m9550max-6400",
      "drive_bytes": null,
      "protection_id": null,
      "protection_domain": null,
      "protection_at": null,
      "chunk_bytes": 524288.0,
      "usable_bytes": null,
      "drive_count": null,
      "unit_count": null,
      "write_back_cache": true,
      "power_loss_protection": true,
      "manual_write_bytes_per_s": null,
      "manual_read_bytes_per_s": null,
      "manual_usable_bytes": null
    },
    "file_system": {
      "platform_id": "lustre-oss-generic",
      "usable_bytes": null,
      "unit_count": null
    },
    "object_store": {
      "platform_id": "minio-2u24",
      "usable_bytes": null,
      "unit_count": null
    },
    "dataset_on": "file-system",
    "file_system_media": "nvme",
    "access": "namespace-per-node",
    "needs_posix": false,
    "needs_snapshots": false,
    "needs_replication": false,
    "needs_encryption": false,
    "operations_skill": "high",
    "fill_limit_fraction": 0.8,
    "guide_headroom_ratio": 1.3,
    "endurance_margin_ratio": 1.2,
    "actual_waf_ratio": 1.1,
    "rated_waf_ratio": 2.3,
    "annual_failure_fraction": 0.01,
    "failure_hazard_ratio": 10.0,
    "rebuild_bytes_per_s": 500000000.0
  },
  "network": {
    "lossless_possible": true,
    "switches_shared": false,
    "fc_san_present": false,
    "transport": null,
    "separate_network": null,
    "path_count": null,
    "mtu_bytes": 9000,
    "topology": null,
    "switch_id": "sn5600",
    "fc_switch_id": "g720",
    "nic_id": "cx7-400",
    "client_oversubscription_ratio": 1.0,
    "target_oversubscription_ratio": 1.0,
    "balancing": "adaptive",
    "hash_loss_fraction": 0.3,
    "pfc": true,
    "ecn": true,
    "dscp": true,
    "rdma_stack_fraction": 0.9,
    "tcp_stack_fraction": 0.8,
    "fc_stack_fraction": 0.95,
    "posix_stack_fraction": 0.7,
    "fc_port_bytes_per_s": 6400000000.0,
    "node_variation_fraction": 0.1,
    "nfs_session_count": 16,
    "nfs_session_bytes_per_s": 2000000000.0,
    "nfs_front_low_bytes_per_s": 933333333.3333334,
    "nfs_front_high_bytes_per_s": 2333333333.3333335
  },
  "site": {
    "rack_height_ru": 48,
    "rack_reserved_ru": 4,
    "rack_limit_w": 17000.0,
    "feed_volts": 415.0,
    "feed_amps": 30.0,
    "feed_phase_count": 3,
    "continuous_fraction": 0.8,
    "power_factor_fraction": 0.95,
    "pue_ratio": 1.54,
    "air_rise_kelvin": 12.0,
    "energy_basis": "metered",
    "usd_per_kwh": 0.1,
    "usd_per_kw_month": 200.0
  },
  "prices": {
    "price_set_id": null,
    "gpu_usd_per_hour": 3.0,
    "term_years": 5.0,
    "support_fraction": 0.1
  }
}
','{"Stall": 1.5, "Power": null}','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','0.1.0');
INSERT INTO "revision" VALUES(1,2,'2026-01-01 00:00:02.000000','bob','ÄÖ ✓',1,'{"cluster": {}}','{}','','','');
INSERT INTO "revision" VALUES(2,1,'2026-01-01 00:00:04.000000','','',1,'{}','{}','','','');
INSERT INTO "revision" VALUES(3,1,'2026-01-01 00:00:06.000000','','',1,'{}','{}','','','');
CREATE INDEX ix_design_list ON design (archived, updated, id);
CREATE INDEX ix_draft_updated ON draft (updated);
COMMIT;
