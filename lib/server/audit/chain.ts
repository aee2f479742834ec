import 'server-only'
import canonicalize from 'canonicalize'
import { eq, sql } from 'drizzle-orm'
import type { ErrorCode, StepUpProofMethod } from '@/lib/errors'
import type { Environment, Role } from '@/lib/operations/define'
import {
  type DeskOperationId,
  deskOperationIds,
  deskOperations,
} from '@/lib/operations/desk-operations'
import type { OperationId } from '@/lib/operations/operations'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { sha256 } from '@/lib/server/store/hashes'
import { audit, auditHead } from '@/lib/server/store/schema/audit'
import { type Db, getDatabase } from '@/lib/server/store/store'

/**
 * The error codes that count as a refusal of the requester, each with the last part of its audit
 * code.
 */
export const refusalEvents = {
  forbidden: 'denied',
  blocked_by_policy: 'blocked_by_policy',
  unauthenticated: 'unauthenticated',
  other_site: 'other_site',
  too_many: 'too_many',
} as const satisfies { readonly [K in ErrorCode]?: string }

export type RefusalCode = keyof typeof refusalEvents

/**
 * The outcomes of a service operation, as the last part of its audit codes. Refusals are in
 * `refusalEvents`.
 */
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

const deskOperationEvents = Object.fromEntries(
  deskOperationIds.map((id) => [id, deskOperations[id].events]),
) as unknown as {
  readonly [K in DeskOperationId]: (typeof deskOperations)[K]['events']
}

/**
 * Requests to Paydesk itself, each with its outcomes: its own operations and other requests.
 * Refusals are in `refusalEvents`. A code that was ever written keeps its meaning: add codes to
 * this table, but never rename one.
 */
export const deskEvents = {
  ...deskOperationEvents,
  /** Only older rows have this code. No request writes it. */
  'account_of.find': [],
  'activity.open': [],
  /**
   * A store that was restored from a backup was accepted, although it is older than the last signed
   * audit row.
   */
  'audit.restored': ['applied'],
  'deletions.apply_again': ['applied'],
  'deletions.certify': ['applied'],
  'page.open': [],
  'people.create': ['applied'],
  /**
   * At a sign-in through the identity provider, the groups of the person were unknown, so the
   * person keeps their roles.
   */
  'people.follow_sso_groups': ['refused'],
  /** Steps of a sign-in through the identity provider, before the session begins. */
  'people.grant_by_sso': ['applied'],
  'people.link_sso': ['applied'],
  'people.make_by_sso': ['applied'],
  'people.take_grant_by_sso': ['applied', 'refused'],
  /** The holder of a one-time link set a password. */
  'people.set_password': ['applied'],
  /**
   * A reset link was requested, which requires no session. The response does not reveal whether the
   * person exists.
   */
  'people.forgot_password': ['applied'],
  /**
   * Refusals that are only counted: repeated refusals of clients without a session, and refusals
   * after the maximum number of different refusals was recorded.
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

/** The code of an audit row: the request and its outcome. Codes never change. */
export type AuditCode =
  | `${ServiceOperationId}.${OperationEvent}`
  | DeskEvent
  | `${RefusableRequest}.${(typeof refusalEvents)[RefusalCode]}`

/**
 * The content of an audit row: only ids, codes and hashes. A person is stored as an id, and an IP
 * address as a keyed hash. `code` names the request and its outcome, such as
 * `payouts.release.start` and `payouts.release.applied`.
 */
export type AuditEntry = {
  code: AuditCode
  actor: string | null
  session?: string
  /**
   * Keyed hashes of the client's IP address and of its network. Missing if no request caused the
   * row.
   */
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
  /**
   * Method of the step-up proof. On the row that records the proof itself, `purpose` is the
   * operation for which it was given.
   */
  step_up?: StepUpProofMethod
  purpose?: OperationId
  /** Set if the person signed in through the identity provider, without a password in Paydesk. */
  signed_in_by?: 'sso'
  /** Role of a grant, and its end; null if it has no end. */
  role?: Role
  until?: string | null
  /** Number of rows that an export announced (`promised`), and number of rows that it wrote. */
  promised?: number
  written?: number
  /**
   * Names of the filters of an export. The values are left out, because they may contain a name.
   */
  filters?: string[]
  api_request_id?: string | null
  /**
   * For a saved view: its changed fields, whether it is shared, and with the people of which
   * accounts (missing: the whole platform).
   */
  changed?: readonly string[]
  shared?: boolean
  accounts?: readonly string[]
  /**
   * The last signed head of the audit chain from before a restore: its sequence number and hash.
   */
  seen?: { seq: number; hash: string }
  /**
   * Time when a restored store was accepted, and a signature of that time and of the previous row.
   */
  accepted?: { at: string; key: string; signature: string }
  /**
   * Error code of a refusal. `repeated` is set only on a row that counts further refusals within
   * one minute; it is their number.
   */
  refusal?: RefusalCode
  repeated?: number
}

/**
 * Returns the hash of a row: SHA-256 over a tag, its number, the hash of the previous row, and its
 * entry as canonical JSON (RFC 8785).
 */
export const hashAuditRow = (seq: number, prev: string, body: string): string =>
  sha256(`paydesk-audit-1\n${seq}\n${prev}\n${body}`)

/**
 * Appends an audit row in the transaction of the caller, so that the row and the change it
 * describes commit or roll back together. Returns the sequence number of the row. Locks the head
 * row until the transaction ends, which keeps the sequence without gaps. Throws store errors; the
 * caller must then stop.
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

/**
 * Appends an audit row in its own transaction, for an event without another change, such as a
 * refusal. Throws if that fails.
 */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await appendAudit(tx, entry)
  })
}
