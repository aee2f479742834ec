-- Tokens that were kept as answers. Whatever else an older version left is erased at the start, a few rows at a time: that is also why the
-- check at the end holds for what is written from now on.
UPDATE "actions" SET "answer" = NULL WHERE "operation" = 'bridge.initialize' AND "answer" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "mentions" uuid[];--> statement-breakpoint
CREATE INDEX "actions_mentions" ON "actions" USING gin ("mentions");--> statement-breakpoint
CREATE INDEX "actions_unread" ON "actions" USING btree ("id") WHERE mentions is null;--> statement-breakpoint
CREATE INDEX "actions_answered" ON "actions" USING btree ("settled_at") WHERE answer is not null;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_body_while_open" CHECK (body is null or state in ('sending', 'unknown')) NOT VALID;