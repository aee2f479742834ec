ALTER TABLE "mirror_customers" ADD COLUMN "account_asked" uuid;--> statement-breakpoint
ALTER TABLE "mirror_funding_events" ADD COLUMN "account_asked" uuid;--> statement-breakpoint
ALTER TABLE "mirror_paykeys" ADD COLUMN "account_asked" uuid;--> statement-breakpoint
ALTER TABLE "mirror_payments" ADD COLUMN "account_asked" uuid;