import * as z from 'zod'
import { maybe, maybeTimestamp, text, words } from './common.schema'
import { breakdownOf, finding, messages } from './evidence.schema'

type Insight = number | string | string[]

const isInsight = (value: unknown): value is Insight =>
  typeof value === 'number' || typeof value === 'string' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))

/** Counters of the network by name: counts, totals in cents, lists of dates. What nobody reported, which comes as null, is left out. */
const insights = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, Insight] => isInsight(entry[1]))))

/** Which fields of a person were found to be theirs, by field. */
const validations = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) =>
    Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')),
  )

// The addresses come from lists of others and become links: nothing but web pages may.
const webPages = words.transform((urls) => urls.filter((url) => /^https?:\/\//i.test(url)))

const watchListMatch = z.object({ list_name: text, urls: webPages, match_fields: words, correlation: text })

/** What a verification found, module by module (provider facts 2.11). There is no score over all of it. */
export const identityDetails = z.object({
  review_id: text,
  decision: text,
  messages,
  breakdown: breakdownOf(finding),
  kyc: maybe(finding.pick({ decision: true, codes: true }).extend({ validations })),
  watch_list: maybe(
    finding.pick({ decision: true, codes: true }).extend({
      matched: words,
      matches: z
        .array(watchListMatch)
        .nullish()
        .transform((value) => value ?? []),
    }),
  ),
  network_alerts: maybe(finding.pick({ decision: true, codes: true }).extend({ alerts: words })),
  reputation: maybe(finding.pick({ decision: true, codes: true, risk_score: true }).extend({ insights })),
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** What a verification found. */
export type IdentityDetails = z.output<typeof identityDetails>
