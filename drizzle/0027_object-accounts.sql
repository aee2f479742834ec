UPDATE "mirror_payments" m SET "account_id" = o."account_id" FROM "object_accounts" o
 WHERE m."account_id" IS NULL AND o."environment" = m."environment"
 AND o."target" = (CASE m."payment_type" WHEN 'charge' THEN 'charges/' ELSE 'payouts/' END) || m."id"::text;--> statement-breakpoint
UPDATE "mirror_customers" m SET "account_id" = o."account_id" FROM "object_accounts" o
 WHERE m."account_id" IS NULL AND o."environment" = m."environment" AND o."target" = 'customers/' || m."id"::text;--> statement-breakpoint
UPDATE "mirror_paykeys" m SET "account_id" = o."account_id" FROM "object_accounts" o
 WHERE m."account_id" IS NULL AND o."environment" = m."environment" AND o."target" = 'paykeys/' || m."id"::text;--> statement-breakpoint
UPDATE "mirror_funding_events" m SET "account_id" = o."account_id" FROM "object_accounts" o
 WHERE m."account_id" IS NULL AND o."environment" = m."environment" AND o."target" = 'funding_events/' || m."id"::text;--> statement-breakpoint
DROP TABLE "object_accounts";