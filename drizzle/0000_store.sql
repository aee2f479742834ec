CREATE TABLE "actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"operation" text NOT NULL,
	"account_id" uuid,
	"target" text,
	"actor_id" uuid NOT NULL,
	"session_hash" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"correlation_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"content_type" text NOT NULL,
	"body" "bytea",
	"payload_id" uuid,
	"body_sha256" text NOT NULL,
	"reason" text,
	"snapshot_hash" text,
	"service_key" text NOT NULL,
	"exclusive" boolean NOT NULL,
	"state" text NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"fence" integer DEFAULT 1 NOT NULL,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone,
	"first_sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"answer_status" integer,
	"answer" "bytea",
	"error" jsonb,
	"replayed" boolean DEFAULT false NOT NULL,
	"effect_verified" boolean,
	"api_request_id" text
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"action_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"request_id" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"status" integer,
	"fault" text,
	"api_request_id" text,
	"replayed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "attempts_action_id_number_pk" PRIMARY KEY("action_id","number")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"prev" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_head" (
	"id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text NOT NULL,
	"environment" text NOT NULL,
	"account_id" uuid
);
--> statement-breakpoint
CREATE TABLE "object_accounts" (
	"environment" text NOT NULL,
	"target" text NOT NULL,
	"account_id" uuid NOT NULL,
	"learned_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "object_accounts_environment_target_pk" PRIMARY KEY("environment","target")
);
--> statement-breakpoint
CREATE TABLE "payload_chunks" (
	"payload_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "payload_chunks_payload_id_number_pk" PRIMARY KEY("payload_id","number")
);
--> statement-breakpoint
CREATE TABLE "payloads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" integer DEFAULT 0 NOT NULL,
	"sha256" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"locked_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_actor_id_people_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_payload_id_payloads_id_fk" FOREIGN KEY ("payload_id") REFERENCES "public"."payloads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payload_chunks" ADD CONSTRAINT "payload_chunks_payload_id_payloads_id_fk" FOREIGN KEY ("payload_id") REFERENCES "public"."payloads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "actions_key" ON "actions" USING btree ("idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "actions_one_open" ON "actions" USING btree ("environment","target") WHERE exclusive and state in ('sending', 'unknown', 'needs_human');--> statement-breakpoint
CREATE INDEX "actions_target" ON "actions" USING btree ("environment","target","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "actions_due" ON "actions" USING btree ("next_check_at") WHERE state in ('sending', 'unknown');--> statement-breakpoint
CREATE INDEX "grants_person" ON "grants" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_email" ON "people" USING btree (lower("email"));