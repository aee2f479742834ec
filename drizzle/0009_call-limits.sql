-- Counts of the last second and minute: a crash may lose them, and no commit waits for the disk on their account.
CREATE UNLOGGED TABLE "person_reads" (
	"person_id" uuid PRIMARY KEY NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"reads" integer NOT NULL,
	"granted" integer NOT NULL
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "service_budgets" (
	"environment" text PRIMARY KEY NOT NULL,
	"slots" integer[] NOT NULL,
	"slot" bigint NOT NULL,
	"share" double precision DEFAULT 1 NOT NULL,
	"shrunk_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paused_until" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "person_reads" ADD CONSTRAINT "person_reads_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "actions_actor" ON "actions" USING btree ("actor_id","created_at");