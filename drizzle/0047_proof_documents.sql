ALTER TABLE "payloads" ADD COLUMN "release_reason" text;--> statement-breakpoint
CREATE INDEX "actions_payload" ON "actions" USING btree ("payload_id") WHERE payload_id is not null;--> statement-breakpoint
CREATE INDEX "payloads_kept" ON "payloads" USING btree ("created_at") WHERE released_at is null;