import { z } from 'zod'
import { dialectNames } from '@/sandbox/dialects/dialects'
import { word } from '@/sandbox/http/fields'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import { balanceChecks, paymentStatuses, statusReasons, statusSources } from '@/sandbox/payments/payment-values'

/** Bounds of a seed plan, for flags and control plane alike. */
export const seedNumber = z.int().min(0).max(4_294_967_295)

/** How many payments may be seeded: at least the held ones, at most five million. */
export const paymentCount = z.int().min(24).max(5_000_000)

/** `POST /sandbox/reset` */
export const resetBody = z.strictObject({ seed: seedNumber.optional(), payments: paymentCount.optional() })

/** `POST /sandbox/dialect`; without a seed number chance begins where the platform's data did. */
export const dialectBody = z.strictObject({ name: word(dialectNames), seed: seedNumber.optional() })

/** In seconds. */
const aCentury = 3_155_760_000

/** The years in which ids and times keep their documented shapes, whatever the clock is moved to. */
export const clockBounds = { first: Date.UTC(2000, 0, 1), last: Date.UTC(2200, 0, 1) }

/** `POST /sandbox/clock`: either a time to set or seconds to move; moving back is allowed. */
export const clockBody = z
  .strictObject({
    now: z.iso.datetime({ offset: true }).optional(),
    advance_seconds: z.number().min(-aCentury, 'must be at most a century').max(aCentury, 'must be at most a century').optional(),
  })
  .refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
    message: 'give either now or advance_seconds',
    path: ['now'],
  })

/** `POST /sandbox/rate-limit`: null lifts the limit. */
export const rateBody = z.strictObject({ per_second: z.int().min(0).nullable() })

/** `POST /sandbox/objects/payouts` and `…/charges`: one payment of a test's own; amounts in cents. `paykey_id` takes one that is there. */
export const paymentBody = z.strictObject({
  account_id: z.uuid().optional(),
  amount: z.int().min(1).max(2_147_483_647).default(12_345),
  status: z.enum(paymentStatuses).default('on_hold'),
  reason: z.enum(statusReasons).optional(),
  source: z.enum(statusSources).optional(),
  message: z.string().max(500).optional(),
  paykey_status: z.enum(['active', 'review', 'blocked', 'inactive', 'rejected', 'pending']).default('active'),
  customer_id: z.uuid().optional(),
  paykey_id: z.uuid().optional(),
  /** Cents on the paykey's bank account; null when the bank did not say. */
  balance: z.int().nullable().optional(),
  payment_date: z.iso.date().optional(),
  sandbox_outcome: z.enum(sandboxOutcomes).default('standard'),
  /** For one that is paid: its money waits for the account's next funding event. */
  awaits_funding: z.boolean().default(false),
  /** Tells subscribers that it was made, as of every other payment; one for a test alone is told of when it changes. */
  announced: z.boolean().default(false),
  /** Charges only. */
  balance_check: z.enum(balanceChecks).optional(),
})

/** `GET /sandbox/requests`: after a sequence number, on one path. */
export const requestsQuery = z.strictObject({ since: z.coerce.number().int().min(0).default(0), path: z.string().optional() })
/** `GET /sandbox/journal`: narrows to one object, one key, or both; after a sequence number. */
export const journalQuery = z.strictObject({
  target: z.string().optional(),
  idempotency_key: z.string().optional(),
  since: z.coerce.number().int().min(0).default(0),
})
