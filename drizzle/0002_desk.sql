CREATE TABLE "deletions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"account_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"ground" text NOT NULL,
	"identity_check" text NOT NULL,
	"ticket" text,
	"due_on" text,
	"requested_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"impact" jsonb,
	"action_id" uuid,
	"executed_by" uuid,
	"executed_at" timestamp with time zone,
	"certificate" jsonb,
	"certificate_hash" text
);
--> statement-breakpoint
CREATE TABLE "limit_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"account_id" uuid NOT NULL,
	"payment_type" text NOT NULL,
	"before" jsonb NOT NULL,
	"asked" jsonb NOT NULL,
	"justification" text NOT NULL,
	"action_id" uuid,
	"asked_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"environment" text NOT NULL,
	"operation" text NOT NULL,
	"account_id" uuid,
	"target" text,
	"actor_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"api_request_id" text,
	"action_id" uuid,
	"status" integer NOT NULL,
	"took_ms" integer NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"replayed" boolean DEFAULT false NOT NULL,
	"error_code" text,
	"error_detail" text
);
--> statement-breakpoint
CREATE TABLE "reveals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid NOT NULL,
	"environment" text NOT NULL,
	"operation" text NOT NULL,
	"target" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"environment" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_requested_by_people_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_executed_by_people_id_fk" FOREIGN KEY ("executed_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "limit_requests" ADD CONSTRAINT "limit_requests_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "limit_requests" ADD CONSTRAINT "limit_requests_asked_by_people_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_actor_id_people_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reveals" ADD CONSTRAINT "reveals_actor_id_people_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deletions_customer" ON "deletions" USING btree ("environment","customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deletions_one_open" ON "deletions" USING btree ("environment","customer_id") WHERE state = 'requested';--> statement-breakpoint
CREATE INDEX "limit_requests_account" ON "limit_requests" USING btree ("environment","account_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "request_log_at" ON "request_log" USING btree ("environment","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "request_log_target" ON "request_log" USING btree ("environment","target","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "request_log_error" ON "request_log" USING btree ("environment","error_code","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "reveals_actor" ON "reveals" USING btree ("actor_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("environment","list","owner_id",lower("name"));