import { z } from 'zod'
import { dialectNames } from '@/sandbox/dialects/dialects'
import { makeEnumSchema } from '@/sandbox/http/read-body'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import {
  balanceChecks,
  paymentStatuses,
  statusReasons,
  statusSources,
} from '@/sandbox/payments/payment-values'

export const seedNumberSchema = z.int().min(0).max(4_294_967_295)

/** The minimum is 24, because seeding always creates 24 payments on hold. */
export const paymentCountSchema = z.int().min(24).max(5_000_000)

export const resetBodySchema = z.strictObject({
  seed: seedNumberSchema.optional(),
  payments: paymentCountSchema.optional(),
})

export const dialectBodySchema = z.strictObject({
  name: makeEnumSchema(dialectNames),
  seed: seedNumberSchema.optional(),
})

const centuryInSeconds = 3_155_760_000

export const clockBounds = { first: Date.UTC(2000, 0, 1), last: Date.UTC(2200, 0, 1) }

export const clockBodySchema = z
  .strictObject({
    now: z.iso.datetime({ offset: true }).optional(),
    advance_seconds: z
      .number()
      .min(-centuryInSeconds, 'must be at most a century')
      .max(centuryInSeconds, 'must be at most a century')
      .optional(),
  })
  .refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
    message: 'give either now or advance_seconds',
    path: ['now'],
  })

export const rateLimitBodySchema = z.strictObject({ per_second: z.int().min(0).nullable() })

/**
 * Amounts are in cents. With `paykey_id`, the payment uses that paykey instead of a new one. In a
 * marketplace, `account_id` is the account that is paid, by default the first one.
 */
export const paymentBodySchema = z.strictObject({
  account_id: z.uuid().optional(),
  amount: z.int().min(1).max(2_147_483_647).default(12_345),
  status: z.enum(paymentStatuses).default('on_hold'),
  reason: z.enum(statusReasons).optional(),
  source: z.enum(statusSources).optional(),
  message: z.string().max(500).optional(),
  paykey_status: z
    .enum(['active', 'review', 'blocked', 'inactive', 'rejected', 'pending'])
    .default('active'),
  customer_id: z.uuid().optional(),
  paykey_id: z.uuid().optional(),
  /** Balance of the paykey's bank account in cents; null if the bank returned no balance. */
  balance: z.int().nullable().optional(),
  payment_date: z.iso.date().optional(),
  sandbox_outcome: z.enum(sandboxOutcomes).default('standard'),
  /** If true and paid, the amount becomes part of the account's next funding event. */
  awaits_funding: z.boolean().default(false),
  /** If true, sends the `created` event. If false, the payment sends none until it changes. */
  announced: z.boolean().default(false),
  balance_check: z.enum(balanceChecks).optional(),
})

export const requestsQuerySchema = z.strictObject({
  since: z.coerce.number().int().min(0).default(0),
  path: z.string().optional(),
})
export const journalQuerySchema = z.strictObject({
  target: z.string().optional(),
  idempotency_key: z.string().optional(),
  since: z.coerce.number().int().min(0).default(0),
})
