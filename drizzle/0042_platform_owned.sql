ALTER TABLE "claims" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "deletions" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "notes" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_customers" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_funding_events" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_paykeys" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_payments" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_account_settings" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_accounts" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_capability_requests" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_linked_bank_accounts" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_organizations" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mirror_representatives" ADD COLUMN "platform_owned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "mirror_organizations" SET "platform_owned" = true;--> statement-breakpoint
UPDATE "mirror_linked_bank_accounts" SET "platform_owned" = true WHERE "account_id" IS NULL;--> statement-breakpoint
UPDATE "mirror_representatives" SET "platform_owned" = true WHERE "account_id" IS NULL;
