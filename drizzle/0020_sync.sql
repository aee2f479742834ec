CREATE TABLE "sync_state" (
	"environment" text NOT NULL,
	"resource" text NOT NULL,
	"phase" text NOT NULL,
	"cursor" jsonb,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"paused_reason" text,
	"paused_since" timestamp with time zone,
	"retry_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sync_state_environment_resource_phase_pk" PRIMARY KEY("environment","resource","phase")
);
