CREATE TABLE "sign_in_networks" (
	"network_hash" text PRIMARY KEY NOT NULL,
	"whole_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sign_in_networks_whole" ON "sign_in_networks" USING btree ("whole_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_last" ON "sign_in_failures" USING btree ("last_at");