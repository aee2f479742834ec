CREATE TABLE "notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"account_id" uuid NOT NULL,
	"target" text NOT NULL,
	"author_id" uuid NOT NULL,
	"text" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"withdrawn_by" uuid
);
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_people_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_withdrawn_by_people_id_fk" FOREIGN KEY ("withdrawn_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_target" ON "notes" USING btree ("environment","target","created_at");