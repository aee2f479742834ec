CREATE TABLE "mirror_payment_sums" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"writer" integer NOT NULL,
	"payment_date" date,
	"settled_on" date,
	"payment_type" text NOT NULL,
	"status" text NOT NULL,
	"status_source" text,
	"code" text,
	"is_refund" boolean,
	"currency" text,
	"count" bigint NOT NULL,
	"minor" numeric NOT NULL,
	"unreadable" bigint NOT NULL,
	CONSTRAINT "mirror_payment_sums_environment_id_writer_pk" PRIMARY KEY("environment","id","writer")
);
--> statement-breakpoint
CREATE INDEX "mirror_payment_sums_date" ON "mirror_payment_sums" USING btree ("environment","payment_date");--> statement-breakpoint
CREATE INDEX "mirror_payment_sums_settled" ON "mirror_payment_sums" USING btree ("environment","settled_on");--> statement-breakpoint
CREATE INDEX "mirror_paykeys_unblockable" ON "mirror_paykeys" USING btree ("environment","created_at" nulls first,"id") WHERE unblock_eligible;--> statement-breakpoint
CREATE INDEX "mirror_payments_returned" ON "mirror_payments" USING btree ("environment","updated_at" nulls first,"id") WHERE status in ('failed', 'reversed') and has_resubmit is not true;--> statement-breakpoint
CREATE FUNCTION mirror_payments_added_up() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own integer := 0;
  fields constant text := 'environment, payment_date, effective_at, payment_type, status, status_source, code, is_refund, currency, amount';
BEGIN
  -- A number that no other open transaction has, until this one ends: nobody waits here, and the rows of a number have one writer at a time.
  WHILE NOT pg_try_advisory_xact_lock(1885955443, own) LOOP own := own + 1; END LOOP;
  EXECUTE 'INSERT INTO "mirror_payment_sums" AS "s" ("environment", "id", "writer", "payment_date", "settled_on", "payment_type", "status", "status_source", "code",
      "is_refund", "currency", "count", "minor", "unreadable")
    SELECT environment, md5(row(payment_date, settled_on, payment_type, status, status_source, code, is_refund, currency)::text)::uuid, $1, payment_date, settled_on,
      payment_type, status, status_source, code, is_refund, currency, sum(way), coalesce(sum(way * amount), 0), coalesce(sum(way) FILTER (WHERE amount IS NULL), 0)
    FROM (SELECT *, (effective_at AT TIME ZONE ''America/New_York'')::date AS settled_on FROM ('
    || concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT 1 AS way, ' || fields || ' FROM came' END,
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT -1 AS way, ' || fields || ' FROM went' END)
    || ') changed) payments
    GROUP BY environment, payment_date, settled_on, payment_type, status, status_source, code, is_refund, currency
    HAVING sum(way) <> 0 OR sum(way * amount) <> 0 OR sum(way) FILTER (WHERE amount IS NULL) <> 0
    ON CONFLICT ("environment", "id", "writer") DO UPDATE
      SET "count" = "s"."count" + excluded."count", "minor" = "s"."minor" + excluded."minor", "unreadable" = "s"."unreadable" + excluded."unreadable"'
  USING own;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER mirror_payments_came AFTER INSERT ON "mirror_payments" REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION mirror_payments_added_up();
--> statement-breakpoint
CREATE TRIGGER mirror_payments_changed AFTER UPDATE ON "mirror_payments" REFERENCING OLD TABLE AS went NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION mirror_payments_added_up();
--> statement-breakpoint
CREATE TRIGGER mirror_payments_went AFTER DELETE ON "mirror_payments" REFERENCING OLD TABLE AS went
  FOR EACH STATEMENT EXECUTE FUNCTION mirror_payments_added_up();
--> statement-breakpoint
INSERT INTO "mirror_payment_sums"
  SELECT environment, md5(row(payment_date, settled_on, payment_type, status, status_source, code, is_refund, currency)::text)::uuid, 0, payment_date, settled_on,
    payment_type, status, status_source, code, is_refund, currency, count(*), coalesce(sum(amount), 0), count(*) FILTER (WHERE amount IS NULL)
  FROM (SELECT *, (effective_at AT TIME ZONE 'America/New_York')::date AS settled_on FROM "mirror_payments") payments
  GROUP BY environment, payment_date, settled_on, payment_type, status, status_source, code, is_refund, currency;
