DROP INDEX "mirror_payments_type";--> statement-breakpoint
CREATE INDEX "mirror_payments_type" ON "mirror_payments" USING btree ("environment","payment_type","created_at" nulls first,"id","status");