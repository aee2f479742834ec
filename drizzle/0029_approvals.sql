CREATE TABLE "policies" (
	"version" integer PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"policy" jsonb NOT NULL,
	"proposed_by" uuid NOT NULL,
	"proposed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"reason" text NOT NULL,
	CONSTRAINT "policies_by_two" CHECK (state not in ('active', 'replaced') or coalesce("policies"."decided_by" <> "policies"."proposed_by", false))
);
--> statement-breakpoint
ALTER TABLE "actions" DROP CONSTRAINT "actions_body_while_open";--> statement-breakpoint
DROP INDEX "actions_one_open";--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "proposal" jsonb;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "rule" jsonb;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "seen" "bytea";--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "approval" jsonb;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_proposed_by_people_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_decided_by_people_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "policies_one_proposed" ON "policies" USING btree ("state") WHERE state = 'proposed';--> statement-breakpoint
CREATE UNIQUE INDEX "policies_one_active" ON "policies" USING btree ("state") WHERE state = 'active';--> statement-breakpoint
CREATE INDEX "actions_awaiting" ON "actions" USING btree ("environment","expires_at") WHERE state = 'awaiting_approval';--> statement-breakpoint
CREATE INDEX "actions_approvals" ON "actions" USING btree ("environment","created_at" DESC NULLS FIRST) WHERE expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "actions_one_open" ON "actions" USING btree ("environment","target") WHERE exclusive and state in ('awaiting_approval', 'sending', 'unknown', 'needs_human');--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_approved_by_another" CHECK (coalesce(("actions"."approval" ->> 'outcome') not in ('approved', 'rejected') or ("actions"."approval" ->> 'by')::uuid <> "actions"."actor_id", "actions"."approval" is null));--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_sent_once_approved" CHECK ("actions"."rule" is null or state in ('awaiting_approval', 'rejected', 'withdrawn', 'expired', 'void') or coalesce("actions"."approval" ->> 'outcome' = 'approved', false));--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_proposed_by_another" CHECK ("actions"."proposal" is null or (("actions"."proposal" ->> 'by')::uuid <> "actions"."actor_id" and coalesce(("actions"."decision" ->> 'by')::uuid <> ("actions"."proposal" ->> 'by')::uuid, true)));--> statement-breakpoint
-- Older versions left bytes with actions that are settled; they are erased a few rows at a time.
ALTER TABLE "actions" ADD CONSTRAINT "actions_body_while_open" CHECK (body is null or state in ('awaiting_approval', 'sending', 'unknown')) NOT VALID;