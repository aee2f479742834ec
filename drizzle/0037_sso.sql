ALTER TABLE "grants" ADD COLUMN "from_sso" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "sso_issuer" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "sso_subject" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_authenticated_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "people_sso" ON "people" USING btree ("sso_issuer","sso_subject");--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_sso_whole" CHECK (("people"."sso_issuer" is null) = ("people"."sso_subject" is null));