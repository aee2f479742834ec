import { z } from 'zod'
import { paymentStatuses, statusReasons, statusSources } from '@/sandbox/payments/payment'

/** Bounds of a seed plan, for flags and control plane alike. */
export const seedNumber = z.int().min(0).max(4_294_967_295)

/** How many payments may be seeded: at least the held ones, at most five million. */
export const paymentCount = z.int().min(24).max(5_000_000)

/** `POST /sandbox/reset` */
export const resetBody = z.strictObject({ seed: seedNumber.optional(), payments: paymentCount.optional() })

/** `POST /sandbox/clock`: either a time to set or seconds to move; moving back is allowed. */
export const clockBody = z
  .strictObject({ now: z.iso.datetime({ offset: true }).optional(), advance_seconds: z.number().optional() })
  .refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
    message: 'give either now or advance_seconds',
    path: ['now'],
  })

/** `POST /sandbox/rate-limit`: null lifts the limit. */
export const rateBody = z.strictObject({ per_second: z.int().min(0).nullable() })

/** `POST /sandbox/objects/payouts`: one payout of a test's own; amounts in cents. */
export const payoutBody = z.strictObject({
  account_id: z.uuid().optional(),
  amount: z.int().min(1).max(2_147_483_647).default(12_345),
  status: z.enum(paymentStatuses).default('on_hold'),
  reason: z.enum(statusReasons).optional(),
  source: z.enum(statusSources).optional(),
  message: z.string().max(500).optional(),
  paykey_status: z.enum(['active', 'review', 'blocked', 'inactive', 'rejected', 'pending']).default('active'),
})

/** `GET /sandbox/requests`: after a sequence number, on one path. */
export const requestsQuery = z.strictObject({ since: z.coerce.number().int().min(0).default(0), path: z.string().optional() })
/** `GET /sandbox/journal`: narrows to one object, one key, or both. */
export const journalQuery = z.strictObject({ target: z.string().optional(), idempotency_key: z.string().optional() })
