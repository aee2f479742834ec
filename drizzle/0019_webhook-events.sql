CREATE TABLE "webhook_events" (
	"environment" text NOT NULL,
	"id" text NOT NULL,
	"event_id" text NOT NULL,
	"event_type" text NOT NULL,
	"account_id" uuid,
	"resource" text,
	"object_id" uuid,
	"customer_id" uuid,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signed" text NOT NULL,
	"state" text NOT NULL,
	"processed_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone,
	"note" text,
	"payload" jsonb,
	CONSTRAINT "webhook_events_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_refusals" (
	"environment" text NOT NULL,
	"cause" text NOT NULL,
	"day" date NOT NULL,
	"count" bigint NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_refusals_environment_cause_day_pk" PRIMARY KEY("environment","cause","day")
);
--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("environment","received_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "webhook_events_state" ON "webhook_events" USING btree ("environment","state","received_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "webhook_events_due" ON "webhook_events" USING btree ("next_try_at") WHERE state = 'received';--> statement-breakpoint
CREATE INDEX "webhook_events_customer" ON "webhook_events" USING btree ("environment","customer_id") WHERE payload is not null;