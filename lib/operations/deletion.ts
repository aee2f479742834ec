import * as z from 'zod'
import type { WireError } from '@/lib/errors'
import type { RecordResource } from '@/lib/routes'
import { id } from './common.schema'
import type { Environment } from './define'
import { createPagingFields, dayBound, oneOf, shortText, timeBound } from './input.schema'

/** Requests contain only such codes, so that they never contain a person's name. */
export const deletionRequesters = [
  'DATA_SUBJECT_REQUEST',
  'REGULATOR_ORDER',
  'RETENTION_END',
] as const

export const deletionLegalBases = [
  'GDPR_17_1_A',
  'GDPR_17_1_B',
  'GDPR_17_1_C',
  'GDPR_17_1_D',
  'GDPR_17_1_E',
  'CCPA_1798_105',
  'STATE_PRIVACY_LAW',
  'COURT_ORDER',
  'RETENTION_POLICY',
] as const

export const identityCheckMethods = [
  'SIGNED_IN',
  'KNOWN_CHANNEL',
  'DOCUMENT_SEEN',
  'AUTHORITY_CONFIRMED',
  'NOT_NEEDED',
] as const

export const deletionStates = ['requested', 'withdrawn', 'executed'] as const

/** `sum` is in cents; null if there are no amounts or one could not be read. */
export type StateTally = { status: string; count: number; sum: number | null }

/** `text` is a sentence. `links` lead to the objects that cause it, or only to some of them. */
export type DeletionBlocker = {
  id: string
  text: string
  count: number
  links: { resource: RecordResource; id: string; label: string }[]
}

/** Contains no names. */
export type DeletionImpact = {
  /** When the records were read (ISO). */
  at: string
  paykeys: StateTally[]
  payouts: StateTally[]
  charges: StateTally[]
  /** Payments that are not settled yet. */
  waiting: { count: number; sum: number | null }
  /** Paydesk's own records. `views`: saved views that name the customer. */
  own: { actions: number; uploads: number; calls: number; reveals: number; views: number }
  blockers: DeletionBlocker[]
  /** Not every payment is counted: there are more, or some could not be read. */
  partial: boolean
}

export type DeletionImpactResult =
  | { ok: true; data: DeletionImpact }
  | { ok: false; error: WireError; requestId: string }

/** `lib/features/deletions/labels` has the texts for the codes. */
export type DeletionView = {
  id: string
  environment: Environment
  /** `acct_…`; null for a customer of the platform (a marketplace). */
  account: string | null
  customer_id: string
  state: (typeof deletionStates)[number]
  asker: string
  basis: string
  identity_check: string
  ticket: string | null
  /** A calendar day, which is the same in every time zone. */
  due_on: string | null
  requested_by: string
  own: boolean
  created_at: string
  executed_by: string | null
  executed_at: string | null
  certificate_hash: string | null
}

/** The numbers of records that a deletion removed from Paydesk's own data. */
export type PurgedCounts = {
  actions: number
  uploads: number
  calls: number
  index: number
  views: number
  texts: number
  /** Missing in certificates that are older than the notes feature. */
  notes?: number
}

/** The SHA-256 over its canonical JSON (RFC 8785) is stored beside the certificate. */
export type DeletionCertificate = {
  format: 'paydesk-deletion-1'
  id: string
  environment: Environment
  /** Null for a customer of the platform. */
  account: string | null
  /** A keyed hash of the environment and the customer id, in place of a name. */
  subject: string
  ground: {
    asker: string
    basis: string
    identity_check: string
    ticket: string | null
    due_on: string | null
  }
  scope: string
  times: { requested: string; sent: string; confirmed: string; purged: string }
  people: { requested: { id: string; name: string }; executed: { id: string; name: string } }
  provider: {
    operation: string
    action: string
    idempotency_key: string
    /** `replayed answer`: the service's stored response to an earlier attempt. */
    proof: 'answer' | 'replayed answer' | 'decided by a person'
    attempts: {
      request_id: string
      api_request_id: string | null
      status: number | null
      at: string
    }[]
  }
  impact: Omit<DeletionImpact, 'blockers'> | null
  purged: PurgedCounts
  stays: { id: string; text: string }[]
  unknown: { id: string; text: string }[]
  /** The audit row that records the deletion: its number and its hash in the chain. */
  audit: { seq: number; hash: string }
}

/**
 * Has only codes and a short reference (`ticket`), so that no name can be entered. The form creates
 * `id`, so that a second click does not create a second request.
 */
export const deletionRequest = z
  .strictObject({
    id,
    /** Null for a customer of the platform (a marketplace). */
    account: z
      .string('Name the account.')
      .regex(/^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Must be acct_ and a UUID.')
      .nullable(),
    customer_id: id,
    asker: z.enum(deletionRequesters, 'Choose the requester.'),
    basis: z.enum(deletionLegalBases, 'Choose the legal ground.'),
    identity_check: z.enum(identityCheckMethods, 'Choose how the identity was verified.'),
    ticket: z
      .string()
      .trim()
      .regex(
        /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9./#_-]{1,39}$/,
        'Must be a reference like PRIV-1234: 2 to 40 letters, digits, . / # _ -, with a digit.',
      )
      .optional(),
    due_on: z.iso.date('Must be a date like 2026-03-31.').optional(),
  })
  .refine(
    ({ asker, identity_check }) => asker === 'RETENTION_END' || identity_check !== 'NOT_NEEDED',
    {
      error: 'Choose how the requester’s identity was verified.',
      path: ['identity_check'],
    },
  )

/** By default, the request with the nearest legal deadline comes first. */
export const deletionsFilter = z.strictObject({
  ...createPagingFields(['due_on', 'created_at'], 'due_on', 'asc'),
  state: oneOf(deletionStates).optional(),
  asker: oneOf(deletionRequesters).optional(),
  created_from: timeBound,
  created_to: timeBound,
  due_from: dayBound,
  due_to: dayBound,
  search_text: shortText,
})

export type DeletionsFilter = z.output<typeof deletionsFilter>

export type DeletionRequest = z.output<typeof deletionRequest>

const deletionViewSchema = z.custom<DeletionView>()

export const deletionSchemas = {
  'deletions.list': { input: z.strictObject({ customer: id }), output: z.custom<DeletionView[]>() },
  'deletions.request': { input: deletionRequest, output: deletionViewSchema },
  'deletions.withdraw': { input: z.strictObject({ id }), output: deletionViewSchema },
  'deletions.certificate': { input: z.strictObject({ id }), output: z.custom<never>() },
}
