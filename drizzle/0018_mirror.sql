CREATE TABLE "mirror_customers" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"record" jsonb,
	"record_seen_at" timestamp with time zone,
	"name" text NOT NULL,
	"type" text,
	"status" text NOT NULL,
	"external_id" text,
	"created_at" timestamp with time zone,
	"search" text NOT NULL,
	CONSTRAINT "mirror_customers_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_forgotten" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mirror_forgotten_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_funding_events" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"record" jsonb,
	"record_seen_at" timestamp with time zone,
	"status" text NOT NULL,
	"status_reason" text,
	"status_source" text,
	"direction" text,
	"event_type" text,
	"amount" bigint,
	"transfer_date" date,
	"created_on" date,
	"trace_numbers" text[] NOT NULL,
	"trace_ids" text[] NOT NULL,
	"search" text NOT NULL,
	CONSTRAINT "mirror_funding_events_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_paykeys" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"record" jsonb,
	"record_seen_at" timestamp with time zone,
	"status" text NOT NULL,
	"source" text,
	"customer_id" uuid,
	"institution_name" text,
	"unblock_eligible" boolean,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone,
	"search" text NOT NULL,
	CONSTRAINT "mirror_paykeys_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_payments" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"record" jsonb,
	"record_seen_at" timestamp with time zone,
	"payment_type" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"status_source" text,
	"code" text,
	"external_id" text,
	"customer_id" uuid,
	"paykey_id" uuid,
	"amount" bigint,
	"currency" text,
	"payment_date" date,
	"effective_at" timestamp with time zone,
	"created_at" timestamp with time zone,
	"updated_at" timestamp with time zone,
	"funding_ids" uuid[] NOT NULL,
	"is_refund" boolean,
	"has_refund" boolean,
	"is_resubmit" boolean,
	"has_resubmit" boolean,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "mirror_payments_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_account_settings" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	CONSTRAINT "mirror_account_settings_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_accounts" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"organization_id" uuid,
	"type" text,
	"status" text NOT NULL,
	"external_id" text,
	"name" text NOT NULL,
	"created_at" timestamp with time zone,
	"search" text NOT NULL,
	CONSTRAINT "mirror_accounts_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_capability_requests" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"type" text NOT NULL,
	"category" text,
	"status" text NOT NULL,
	"created_at" timestamp with time zone,
	CONSTRAINT "mirror_capability_requests_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_linked_bank_accounts" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"status" text NOT NULL,
	"purposes" text[] NOT NULL,
	"created_at" timestamp with time zone,
	CONSTRAINT "mirror_linked_bank_accounts_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_organizations" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"name" text NOT NULL,
	"external_id" text,
	"created_at" timestamp with time zone,
	CONSTRAINT "mirror_organizations_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "mirror_representatives" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid,
	"object" jsonb NOT NULL,
	"version_at" timestamp with time zone,
	"changed_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"seen_by" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone,
	CONSTRAINT "mirror_representatives_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE INDEX "mirror_customers_created" ON "mirror_customers" USING btree ("environment","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_customers_name" ON "mirror_customers" USING btree ("environment","name" collate "C","id");--> statement-breakpoint
CREATE INDEX "mirror_customers_status" ON "mirror_customers" USING btree ("environment","status","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_customers_account" ON "mirror_customers" USING btree ("environment","account_id","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_customers_external" ON "mirror_customers" USING btree ("environment","external_id");--> statement-breakpoint
CREATE INDEX "mirror_funding_events_transfer" ON "mirror_funding_events" USING btree ("environment","transfer_date" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_funding_events_account" ON "mirror_funding_events" USING btree ("environment","account_id","transfer_date" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_funding_events_amount" ON "mirror_funding_events" USING btree ("environment","amount" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_funding_events_status" ON "mirror_funding_events" USING btree ("environment","status","transfer_date" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_funding_events_traces" ON "mirror_funding_events" USING gin ("trace_numbers");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_created" ON "mirror_paykeys" USING btree ("environment","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_status" ON "mirror_paykeys" USING btree ("environment","status","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_account" ON "mirror_paykeys" USING btree ("environment","account_id","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_customer" ON "mirror_paykeys" USING btree ("environment","customer_id","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_institution" ON "mirror_paykeys" USING btree ("environment","institution_name" collate "C" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_expires" ON "mirror_paykeys" USING btree ("environment","expires_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_created" ON "mirror_payments" USING btree ("environment","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_type" ON "mirror_payments" USING btree ("environment","payment_type","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_status" ON "mirror_payments" USING btree ("environment","status","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_account" ON "mirror_payments" USING btree ("environment","account_id","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_account_status" ON "mirror_payments" USING btree ("environment","account_id","status","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_customer" ON "mirror_payments" USING btree ("environment","customer_id","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_paykey" ON "mirror_payments" USING btree ("environment","paykey_id","created_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_external" ON "mirror_payments" USING btree ("environment","external_id");--> statement-breakpoint
CREATE INDEX "mirror_payments_date" ON "mirror_payments" USING btree ("environment","payment_date" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_effective" ON "mirror_payments" USING btree ("environment","effective_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_updated" ON "mirror_payments" USING btree ("environment","updated_at" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_amount" ON "mirror_payments" USING btree ("environment","amount" nulls first,"id");--> statement-breakpoint
CREATE INDEX "mirror_payments_funding" ON "mirror_payments" USING gin ("funding_ids");--> statement-breakpoint
CREATE INDEX "mirror_payments_words" ON "mirror_payments" USING gin ("words");--> statement-breakpoint
CREATE INDEX "mirror_payments_unknown" ON "mirror_payments" USING btree ("environment","id") WHERE account_id is null;--> statement-breakpoint
CREATE INDEX "mirror_accounts_name" ON "mirror_accounts" USING btree ("environment","name" collate "C","id");--> statement-breakpoint
CREATE INDEX "mirror_accounts_organization" ON "mirror_accounts" USING btree ("environment","organization_id");--> statement-breakpoint
CREATE INDEX "mirror_capability_requests_account" ON "mirror_capability_requests" USING btree ("environment","account_id","id");--> statement-breakpoint
CREATE INDEX "mirror_capability_requests_status" ON "mirror_capability_requests" USING btree ("environment","status");--> statement-breakpoint
CREATE INDEX "mirror_linked_bank_accounts_account" ON "mirror_linked_bank_accounts" USING btree ("environment","account_id","id");--> statement-breakpoint
CREATE INDEX "mirror_representatives_account" ON "mirror_representatives" USING btree ("environment","account_id","id");