CREATE TABLE "notification_choices" (
	"person_id" uuid NOT NULL,
	"event" text NOT NULL,
	"app" boolean NOT NULL,
	"mail" boolean NOT NULL,
	CONSTRAINT "notification_choices_person_id_event_pk" PRIMARY KEY("person_id","event")
);
--> statement-breakpoint
CREATE TABLE "notification_mails" (
	"person_id" uuid NOT NULL,
	"key" text NOT NULL,
	"mailed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_mails_person_id_key_pk" PRIMARY KEY("person_id","key")
);
--> statement-breakpoint
ALTER TABLE "notification_choices" ADD CONSTRAINT "notification_choices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_mails" ADD CONSTRAINT "notification_mails_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;