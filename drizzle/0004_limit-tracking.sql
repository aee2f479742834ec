ALTER TABLE "limit_requests" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "limit_requests" ADD COLUMN "closed_as" text;--> statement-breakpoint
CREATE UNIQUE INDEX "limit_requests_one_open" ON "limit_requests" USING btree ("environment","account_id","payment_type") WHERE closed_at is null;