DELETE FROM "grants" USING "people" WHERE "people"."id" = "grants"."person_id" AND "people"."demo" AND "grants"."environment" <> 'sandbox';
