import type { WireError } from '@/lib/errors'
import type { RecordResource } from '@/lib/routes'
import type { Environment } from './define'

/** Who asks for a deletion. Coded, as all of a request, so that it never holds a name. */
export const deletionAskers = ['DATA_SUBJECT_REQUEST', 'REGULATOR_ORDER', 'RETENTION_END'] as const

/** On which legal ground. */
export const deletionBases = [
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

/** How it was made sure that the right person asks. */
export const identityChecks = ['SIGNED_IN', 'KNOWN_CHANNEL', 'DOCUMENT_SEEN', 'AUTHORITY_CONFIRMED', 'NOT_NEEDED'] as const

/** How many there are in a state and what they add up to: whole cents, null where an amount could not be read or there is none. */
export type Tally = { status: string; count: number; sum: number | null }

/** Something that stands in the way of a deletion, in a sentence, with the objects it is about; `count` may be more than the links. */
export type DeletionBlocker = { id: string; text: string; count: number; links: { resource: RecordResource; id: string; label: string }[] }

/** What a deletion would touch, as far as it can be known. Names nobody. */
export type DeletionImpact = {
  /** When it was read, ISO. */
  at: string
  paykeys: Tally[]
  payouts: Tally[]
  charges: Tally[]
  /** Payments that wait or are on their way. */
  waiting: { count: number; sum: number | null }
  /** Our own records: actions with what they hold, uploads, calls of the request log, reveals, saved views that name the customer. */
  own: { actions: number; uploads: number; calls: number; reveals: number; views: number }
  blockers: DeletionBlocker[]
  /** More payments than are counted. */
  partial: boolean
}

/** The impact as a page reads it: what it is, or the error to draw in its place. */
export type ImpactRead = { ok: true; data: DeletionImpact } | { ok: false; error: WireError; requestId: string }

/** A request to delete a customer, as screens show it; `lib/domain/deletion-grounds` puts its codes into words. */
export type DeletionView = {
  id: string
  environment: Environment
  /** `acct_…`. */
  account: string
  customer_id: string
  state: 'requested' | 'withdrawn' | 'executed'
  asker: string
  basis: string
  identity_check: string
  ticket: string | null
  /** A day, never shifted. */
  due_on: string | null
  requested_by: string
  own: boolean
  created_at: string
  executed_by: string | null
  executed_at: string | null
  certificate_hash: string | null
}

/** What was taken out of our own records, by kind. */
export type Purged = { actions: number; uploads: number; calls: number; index: number; views: number; texts: number }

/** The certificate of a deletion. Its SHA-256 over the canonical JSON (RFC 8785) stands beside it. */
export type DeletionCertificate = {
  format: 'paydesk-deletion-1'
  id: string
  environment: Environment
  account: string
  /** A keyed hash of environment and customer id: it proves which one to who knows the id, and names nobody. */
  subject: string
  ground: { asker: string; basis: string; identity_check: string; ticket: string | null; due_on: string | null }
  scope: string
  times: { requested: string; sent: string; confirmed: string; purged: string }
  people: { requested: { id: string; name: string }; executed: { id: string; name: string } }
  provider: {
    operation: string
    action: string
    idempotency_key: string
    /** Whether the service answered, answered from its own record, or a person decided on evidence. */
    proof: 'answer' | 'replayed answer' | 'decided by a person'
    attempts: { request_id: string; api_request_id: string | null; status: number | null; at: string }[]
  }
  impact: Omit<DeletionImpact, 'blockers'> | null
  purged: Purged
  stays: { id: string; text: string }[]
  unknown: { id: string; text: string }[]
  /** The link of the audit chain that says the deletion happened. */
  audit: { seq: number; hash: string }
}
