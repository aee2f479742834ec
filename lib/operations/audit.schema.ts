import * as z from 'zod'
import { toCanonicalTimeZone } from '@/lib/formats'
import { type AuditRow, type AuditVerification, auditOutcomes } from './audit'

const uuid = z.uuid('Must be a UUID.')
const day = z.iso.date('Must be a day like 2026-11-30.')

/** `from` and `to` are days in the time zone `zone`, an IANA name; by default UTC. */
export const auditFilter = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  zone: z
    .string()
    .max(40)
    .refine(
      (name) => toCanonicalTimeZone(name) !== null,
      'Must be the name of a time zone, like America/New_York.',
    )
    .optional(),
  person: uuid.optional(),
  what: z
    .string()
    .regex(/^[a-z_]+\.[a-z_]+$/, 'Must be like payouts.release.')
    .optional(),
  outcome: z.enum(auditOutcomes, `Must be one of ${auditOutcomes.join(', ')}.`).optional(),
  account: z
    .string()
    .regex(/^acct_[0-9a-f-]{36}$/, 'Must be like acct_<uuid>.')
    .optional(),
  target: z
    .string()
    .regex(/^[a-z_]+\/[0-9a-f-]{36}$/, 'Must be like payouts/<uuid>.')
    .optional(),
  action: uuid.optional(),
  request: z
    .string()
    .regex(/^[\w-]{1,80}$/, 'Must be a request ID.')
    .optional(),
})

export type AuditFilter = z.output<typeof auditFilter>

const seq = z.coerce
  .number('Must be the number of a row.')
  .int('Must be the number of a row.')
  .min(0, 'Must not be negative.')

export const auditSchemas = {
  'audit.read': {
    input: z.strictObject({ ...auditFilter.shape, before: seq.optional(), after: seq.optional() }),
    output: z.custom<AuditRow[]>(),
  },
  'audit.verify': { input: z.strictObject({ after: seq }), output: z.custom<AuditVerification>() },
  'audit.export': {
    // `whole` exports every row of every environment and ignores the filters, so that the chain can
    // be verified from its first row.
    input: z.strictObject({
      ...auditFilter.shape,
      whole: z.literal('yes', 'Must be yes.').optional(),
    }),
    output: z.custom<never>(),
  },
}
