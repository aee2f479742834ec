ALTER TABLE "actions" ADD COLUMN "proof" "bytea";--> statement-breakpoint
CREATE INDEX "actions_proof" ON "actions" USING btree ("id") WHERE proof is not null;