CREATE TABLE "grant_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid NOT NULL,
	"role" text NOT NULL,
	"environment" text NOT NULL,
	"account_id" uuid,
	"expires_at" timestamp with time zone,
	"requested_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "invited_by" uuid;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "invited_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "grant_requests" ADD CONSTRAINT "grant_requests_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grant_requests" ADD CONSTRAINT "grant_requests_requested_by_people_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "grant_requests_person" ON "grant_requests" USING btree ("person_id");--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_invited_by_people_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."people"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
UPDATE "people" SET "invited_by" = first_grant."granted_by", "invited_at" = "people"."created_at" FROM (SELECT DISTINCT ON ("person_id") "person_id", "granted_by" FROM "grants" WHERE "granted_by" IS NOT NULL ORDER BY "person_id", "created_at") AS first_grant WHERE first_grant."person_id" = "people"."id";
