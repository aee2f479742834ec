CREATE INDEX "actions_open" ON "actions" USING btree ("environment","created_at") WHERE state in ('sending', 'unknown', 'needs_human');--> statement-breakpoint
CREATE INDEX "request_log_operation" ON "request_log" USING btree ("environment","operation","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "request_log_actor" ON "request_log" USING btree ("environment","actor_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "request_log_account" ON "request_log" USING btree ("environment","account_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "request_log_wrong" ON "request_log" USING btree ("environment","at" DESC NULLS FIRST) WHERE status >= 400 or error_code is not null;