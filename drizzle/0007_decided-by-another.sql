-- What senders decided before there was the rule stays decided, and is told as theirs by having no other decider.
UPDATE "actions" SET "decision" = "decision" - 'by' WHERE ("decision" ->> 'by')::uuid = "actor_id";
--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_decided_by_another" CHECK (("actions"."decision" ->> 'by')::uuid is distinct from "actions"."actor_id");