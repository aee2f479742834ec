ALTER TABLE "mirror_organizations" ADD COLUMN "search" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE FUNCTION folded_for_search(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(replace(translate(lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f''\u2019\u02bc]', '', 'g')), 'øđðħłŧı', 'oddhlti'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;--> statement-breakpoint
UPDATE "mirror_organizations" SET "search" = folded_for_search("name");--> statement-breakpoint
UPDATE "mirror_customers" SET "search" = folded_for_search("search") WHERE "search" ~ '[^ -&(-~]';--> statement-breakpoint
UPDATE "mirror_paykeys" SET "search" = folded_for_search("search") WHERE "search" ~ '[^ -&(-~]';--> statement-breakpoint
UPDATE "mirror_accounts" SET "search" = folded_for_search("search") WHERE "search" ~ '[^ -&(-~]';--> statement-breakpoint
UPDATE "mirror_payments" SET "words" = "words" || array_to_tsvector(ARRAY(SELECT DISTINCT word FROM regexp_split_to_table(folded_for_search(concat_ws(' ', "object" ->> 'external_id', "object" ->> 'description')), '[^[:alnum:]]+') word WHERE word <> '')) WHERE concat_ws(' ', "object" ->> 'external_id', "object" ->> 'description') ~ '[^ -&(-~]';--> statement-breakpoint
DROP FUNCTION folded_for_search(text);
