import 'server-only'
import canonicalize from 'canonicalize'
import { eq, sql } from 'drizzle-orm'
import type { ErrorCode, StepUpProofMethod } from '@/lib/errors'
import type { Environment, Role } from '@/lib/operations/define'
import { type DeskOperationId, deskOperationIds, deskOperations } from '@/lib/operations/desk-operations'
import type { OperationId } from '@/lib/operations/operations'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { sha256 } from '@/lib/server/store/hashes'
import { audit, auditHead } from '@/lib/server/store/schema/audit'
import { type Db, database } from '@/lib/server/store/store'

/** Error codes that refuse the requester, each with the last part of its audit code. */
export const refusalEvents = {
  forbidden: 'denied',
  blocked_by_policy: 'blocked_by_policy',
  unauthenticated: 'unauthenticated',
  other_site: 'other_site',
  too_many: 'too_many',
} as const satisfies { readonly [K in ErrorCode]?: string }

export type RefusalCode = keyof typeof refusalEvents

/** Outcomes of a service operation, besides a refusal of the requester. */
export const operationEvents = [
  'start',
  'applied',
  'refused',
  'unknown',
  'needs_human',
  'checked',
  'proposed',
  'decided',
  'blocked',
  'asked',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
  'void',
] as const

const deskOperationEvents = Object.fromEntries(deskOperationIds.map((id) => [id, deskOperations[id].events])) as unknown as {
  readonly [K in DeskOperationId]: (typeof deskOperations)[K]['events']
}

/**
 * Requests to Paydesk itself (its operations and others), each with its outcomes. Refusals of the requester are in `refusalEvents`. A code
 * that was ever written keeps its meaning: add codes to this table, but never rename one.
 */
export const deskEvents = {
  ...deskOperationEvents,
  /** In older rows only: accounts of objects are now found in the background. */
  'account_of.find': [],
  'activity.open': [],
  /** An older copy of the store replaced a newer one. */
  'audit.restored': ['applied'],
  'deletions.apply_again': ['applied'],
  'deletions.certify': ['applied'],
  'page.open': [],
  'people.create': ['applied'],
  /** The person's groups were unknown at a sign-in through the identity provider, so the person keeps their roles. */
  'people.follow_sso_groups': ['refused'],
  /** Steps of a sign-in through the identity provider, before its session begins. */
  'people.grant_by_sso': ['applied'],
  'people.link_sso': ['applied'],
  'people.make_by_sso': ['applied'],
  'people.take_grant_by_sso': ['applied', 'refused'],
  /** The holder of a one-time link set a password. */
  'people.set_password': ['applied'],
  /** A reset link was requested, which requires no session. The response does not reveal whether the person exists. */
  'people.forgot_password': ['applied'],
  /**
   * Refusals that were counted instead of recorded: repeated refusals of clients without a session, and refusals after the maximum number of
   * different refusals was recorded.
   */
  'refusals.others': ['counted'],
  'session.sign_in': ['applied', 'refused'],
  'session.sign_out': ['applied'],
  'settings.open': [],
  /** A step-up proof was used for a request that it does not match. */
  'step_ups.use': ['refused'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type DeskRequest = keyof typeof deskEvents

/** A request that can be refused: an operation of the service, or a request to Paydesk itself. */
export type RefusableRequest = ServiceOperationId | DeskRequest

type DeskEvent = { [K in DeskRequest]: `${K}.${(typeof deskEvents)[K][number]}` }[DeskRequest]

export type OperationEvent = (typeof operationEvents)[number]

/** Stable name of an audit row: the request and its outcome. */
export type AuditCode = `${ServiceOperationId}.${OperationEvent}` | DeskEvent | `${RefusableRequest}.${(typeof refusalEvents)[RefusalCode]}`

/**
 * Content of an audit row: only ids, codes and hashes. A person is stored as an id, and an IP address as a keyed hash. `code` names the
 * request and its outcome, such as `payouts.release.start` and `payouts.release.applied`. Codes never change.
 */
export type AuditEntry = {
  code: AuditCode
  actor: string | null
  session?: string
  /** Keyed hashes of the client's IP address and of its network. Missing on rows that no request caused. */
  address?: string
  network?: string
  environment?: Environment
  account?: string | null
  target?: string | null
  action?: string
  request_id?: string
  attempts?: number
  status?: number
  replayed?: boolean
  verified?: boolean | null
  idempotency_key?: string
  correlation_id?: string
  body_sha256?: string
  snapshot?: string | null
  reason_code?: string
  reason_sha256?: string
  /** Codes of the warnings that the requester confirmed before sending. */
  warnings?: readonly string[]
  outcome?: string
  /** Version of the policy that required a second person. */
  policy?: number
  evidence_sha256?: string
  fault?: string | null
  subject?: string
  /** Method of the step-up proof. On the row that records the proof itself, `purpose` is the operation for which it was given. */
  step_up?: StepUpProofMethod
  purpose?: OperationId
  /** Set if the person signed in without a Paydesk password. */
  signed_in_by?: 'sso'
  /** Role of a grant, and its end; null if it has no end. */
  role?: Role
  until?: string | null
  /** Number of rows that an export announced, and that it wrote. */
  promised?: number
  written?: number
  /** Names of the filters of an export. Their values may contain a name. */
  filters?: string[]
  api_request_id?: string | null
  /** Of a saved view: the changed fields, whether it is shared, and with which accounts (none: the whole platform). */
  changed?: readonly string[]
  shared?: boolean
  accounts?: readonly string[]
  /** The last signed head from before a restore. */
  seen?: { seq: number; hash: string }
  /** Time when a restored store was accepted, and a signature of that time and of the previous row. */
  accepted?: { at: string; key: string; signature: string }
  /** Error code of a refusal. `repeated` is set if the row only counts further refusals of one minute: their number. */
  refusal?: RefusalCode
  repeated?: number
}

/** Returns the hash of a row: SHA-256 over a tag, its number, the previous row's hash and the canonical JSON (RFC 8785) of its entry. */
export const hashAuditRow = (seq: number, prev: string, body: string): string => sha256(`paydesk-audit-1\n${seq}\n${prev}\n${body}`)

/**
 * Appends one row in the caller's transaction, so that the row and the change it describes commit or roll back together. Returns its
 * sequence number. Locks the head row until the transaction ends, which keeps the sequence without gaps. Throws store errors; the caller
 * must then stop.
 */
export async function appendAudit(tx: Db, entry: AuditEntry): Promise<number> {
  const [head] = await tx
    .select({
      seq: auditHead.seq,
      hash: auditHead.hash,
      at: sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    })
    .from(auditHead)
    .where(eq(auditHead.id, 1))
    .for('update')
  if (!head) throw new Error('the audit head is missing')
  const seq = Number(head.seq) + 1
  const body = canonicalize({ ...entry, at: head.at }) ?? '{}'
  const hash = hashAuditRow(seq, head.hash, body)
  await tx.insert(audit).values({ seq, body, prev: head.hash, hash })
  await tx.update(auditHead).set({ seq, hash }).where(eq(auditHead.id, 1))
  return seq
}

/** Appends a row in its own transaction, for an event without another change, such as a denial. Throws if the row cannot be written. */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  const db = await database()
  await db.transaction(async (tx) => {
    await appendAudit(tx, entry)
  })
}
