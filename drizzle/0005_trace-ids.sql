CREATE INDEX "actions_correlation" ON "actions" USING btree ("correlation_id");--> statement-breakpoint
CREATE INDEX "actions_api_request" ON "actions" USING btree ("api_request_id");--> statement-breakpoint
CREATE INDEX "attempts_request" ON "attempts" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "attempts_api_request" ON "attempts" USING btree ("api_request_id");--> statement-breakpoint
CREATE INDEX "request_log_request" ON "request_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "request_log_api_request" ON "request_log" USING btree ("api_request_id");