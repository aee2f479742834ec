ALTER TABLE "saved_views" ADD COLUMN "accounts" uuid[];--> statement-breakpoint
-- Views shared before: their words came from what their owner sees. Of an owner who sees the whole platform, or nothing any more, they are for
-- people who see the whole platform.
UPDATE "saved_views" SET "accounts" = (
	SELECT array_agg(DISTINCT "account_id" ORDER BY "account_id") FROM "grants"
	WHERE "person_id" = "saved_views"."owner_id" AND "environment" = "saved_views"."environment"
) WHERE "shared" AND NOT EXISTS (
	SELECT 1 FROM "grants"
	WHERE "person_id" = "saved_views"."owner_id" AND "environment" = "saved_views"."environment" AND "account_id" IS NULL
);--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_audience" CHECK ("saved_views"."accounts" is null or ("saved_views"."shared" and cardinality("saved_views"."accounts") > 0));
