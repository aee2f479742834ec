CREATE TABLE "claims" (
	"environment" text NOT NULL,
	"target" text NOT NULL,
	"account_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "claims_environment_target_pk" PRIMARY KEY("environment","target")
);
--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "claims_ended" ON "claims" USING btree ("ends_at");