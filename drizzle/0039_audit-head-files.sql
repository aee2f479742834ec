CREATE TABLE "audit_head_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"link" text NOT NULL,
	"seq" bigint NOT NULL
);
