-- What the page of the audit narrows by; the expressions are those of its conditions (lib/features/audit/server/rows.ts).
CREATE INDEX "audit_by_actor" ON "audit" (((body)::jsonb ->> 'actor'), seq DESC) WHERE ((body)::jsonb ->> 'actor') IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "audit_by_account" ON "audit" (((body)::jsonb ->> 'account'), seq DESC) WHERE ((body)::jsonb ->> 'account') IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "audit_by_target" ON "audit" (((body)::jsonb ->> 'target'), seq DESC) WHERE ((body)::jsonb ->> 'target') IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "audit_by_action" ON "audit" (((body)::jsonb ->> 'action'), seq DESC) WHERE ((body)::jsonb ->> 'action') IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "audit_by_request" ON "audit" (((body)::jsonb ->> 'request_id'), seq DESC) WHERE ((body)::jsonb ->> 'request_id') IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "audit_by_code" ON "audit" ((((body)::jsonb ->> 'code') COLLATE "C"), seq DESC);
--> statement-breakpoint
CREATE INDEX "audit_by_end" ON "audit" (substring(((body)::jsonb ->> 'code') from '[^.]+$'), seq DESC);
--> statement-breakpoint
CREATE INDEX "audit_by_time" ON "audit" ((((body)::jsonb ->> 'at') COLLATE "C"));
