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

/** Error codes that refuse the requester, each with the last part of its audit code. */
export const refusalEvents = {
  forbidden: 'denied',
  blocked_by_policy: 'blocked_by_policy',
  unauthenticated: 'unauthenticated',
  other_site: 'other_site',
  too_many: 'too_many',
} as const satisfies { readonly [K in ErrorCode]?: string }

export type RefusalCode = keyof typeof refusalEvents

/** The last part of an audit code. Refusals are in `refusalEvents`. */
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
 * Requests to Paydesk itself, each with its outcomes. Refusals are in `refusalEvents`. A code that
 * was ever written keeps its meaning: add codes to this table, but never rename one.
 */
export const deskEvents = {
  ...deskOperationEvents,
  /** Only older rows have this code. No request writes it. */
  'account_of.find': [],
  'activity.open': [],
  /** Accepts a store restored from a backup that is older than the last signed audit row. */
  'audit.restored': ['applied'],
  'deletions.apply_again': ['applied'],
  'deletions.certify': ['applied'],
  'page.open': [],
  'people.create': ['applied'],
  /** The identity provider did not send the groups of the person, who keeps their roles. */
  'people.follow_sso_groups': ['refused'],
  /** Steps of a sign-in through the identity provider, before the session begins. */
  'people.grant_by_sso': ['applied'],
  'people.link_sso': ['applied'],
  'people.make_by_sso': ['applied'],
  'people.take_grant_by_sso': ['applied', 'refused'],
  /** The holder of a one-time link set a password. */
  'people.set_password': ['applied'],
  /** Requires no session. The response does not reveal whether the person exists. */
  'people.forgot_password': ['applied'],
  /**
   * Refusals that are only counted: repeated refusals of clients without a session, and refusals
   * after the maximum number of different refusals was recorded.
   */
  'refusals.others': ['counted'],
  'session.sign_in': ['applied', 'refused'],
  'session.sign_out': ['applied'],
  'settings.open': [],
  /**
   * A step-up proof (a confirmation by a second factor) was used for a request that it does not
   * match.
   */
  'step_ups.use': ['refused'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type DeskRequestName = keyof typeof deskEvents

export type RefusableRequestName = ServiceOperationId | DeskRequestName

type DeskAuditCode = {
  [K in DeskRequestName]: `${K}.${(typeof deskEvents)[K][number]}`
}[DeskRequestName]

export type OperationEvent = (typeof operationEvents)[number]

/** A code never changes its meaning, because stored rows keep their codes for years. */
export type AuditCode =
  | `${ServiceOperationId}.${OperationEvent}`
  | DeskAuditCode
  | `${RefusableRequestName}.${(typeof refusalEvents)[RefusalCode]}`

/**
 * An audit row contains only ids, codes and hashes, because it can never be changed: a person is
 * stored as an id, and an IP address as a keyed hash.
 */
export type AuditEntry = {
  code: AuditCode
  actor: string | null
  session?: string
  /** Keyed hashes of the client's IP address and network. Missing if no request caused the row. */
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
  /** SHA-256 of each authorization proof that the approver had opened before deciding. */
  opened_documents?: readonly string[]
  fault?: string | null
  subject?: string
  /**
   * Method by which the requester confirmed their identity again (step-up). On the row of that
   * confirmation itself, `purpose` is the operation for which it was given.
   */
  step_up?: StepUpProofMethod
  purpose?: OperationId
  /** Set if the person signed in through the identity provider, without a password in Paydesk. */
  signed_in_by?: 'sso'
  /** A granted or removed role. `until` is the end of the grant; null if the grant has no end. */
  role?: Role
  until?: string | null
  /** Number of rows that an export announced (`promised`), and number of rows that it wrote. */
  promised?: number
  written?: number
  /** Only the names of an export's filters: the values may contain a person's name. */
  filters?: string[]
  api_request_id?: string | null
  /**
   * Fields of a row about a saved view: the fields that changed, and whether and with which
   * accounts the view is shared. Without `accounts`, a shared view is for the whole platform.
   */
  changed?: readonly string[]
  shared?: boolean
  accounts?: readonly string[]
  /** On the row that accepts a restored store: the last signed head from before the restore. */
  seen?: { seq: number; hash: string }
  /** When a restored store was accepted, with a signature over that time and the previous row. */
  accepted?: { at: string; key: string; signature: string }
  /** `repeated` is set only on a row that counts further refusals within one minute. */
  refusal?: RefusalCode
  repeated?: number
}

/** `body` is canonical JSON (RFC 8785). */
export const hashAuditRow = (seq: number, prev: string, body: string): string =>
  sha256(`paydesk-audit-1\n${seq}\n${prev}\n${body}`)

/**
 * Runs in the transaction of the caller, so that the row and the change it describes commit or roll
 * back together. Locks the head row until the transaction ends, which keeps the sequence without
 * gaps. Returns the sequence number. After a store error, the caller must stop.
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
  const nextSeq = Number(head.seq) + 1
  const rowBody = canonicalize({ ...entry, at: head.at }) ?? '{}'
  const rowHash = hashAuditRow(nextSeq, head.hash, rowBody)
  await tx.insert(audit).values({ seq: nextSeq, body: rowBody, prev: head.hash, hash: rowHash })
  await tx.update(auditHead).set({ seq: nextSeq, hash: rowHash }).where(eq(auditHead.id, 1))
  return nextSeq
}

/**
 * Writes the audit row of an event that changes nothing else in the store, such as a refusal.
 * Throws if the row cannot be written.
 */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await appendAudit(tx, entry)
  })
}
