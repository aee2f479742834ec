CREATE TABLE "approval_questions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action_id" uuid NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"question" text NOT NULL,
	"answer" text,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "approval_questions" ADD CONSTRAINT "approval_questions_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_questions" ADD CONSTRAINT "approval_questions_asked_by_people_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "approval_questions_one_open" ON "approval_questions" USING btree ("action_id") WHERE answered_at is null;--> statement-breakpoint
CREATE INDEX "approval_questions_action" ON "approval_questions" USING btree ("action_id","asked_at");