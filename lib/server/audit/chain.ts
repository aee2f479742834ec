import 'server-only'
import canonicalize from 'canonicalize'
import { eq, sql } from 'drizzle-orm'
import type { ErrorCode, Proof } from '@/lib/errors'
import type { Environment, Role } from '@/lib/operations/define'
import { type DeskOperationId, deskOperationIds, deskOperations } from '@/lib/operations/desk-operations'
import type { OperationId } from '@/lib/operations/operations'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { sha256 } from '@/lib/server/store/hashes'
import { audit, auditHead } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'

/** How asking can be refused for who asks, by the code of the error, and how the audit code of such a row ends. */
export const refusalEvents = {
  forbidden: 'denied',
  blocked_by_policy: 'blocked_by_policy',
  unauthenticated: 'unauthenticated',
  other_site: 'other_site',
  too_many: 'too_many',
} as const satisfies { readonly [K in ErrorCode]?: string }

export type Refusal = keyof typeof refusalEvents

/** What can come of an operation of the service, besides a refusal of who asks. */
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

const ofOperations = Object.fromEntries(deskOperationIds.map((id) => [id, deskOperations[id].events])) as unknown as {
  readonly [K in DeskOperationId]: (typeof deskOperations)[K]['events']
}

/**
 * What can be asked of Paydesk itself and what can come of each, besides a refusal of who asks: its operations, and what is none. A code that was ever
 * written keeps its meaning: add to this table, never rename in it.
 */
export const deskEvents = {
  ...ofOperations,
  /** Until the accounts of objects were found in the background. */
  'account_of.find': [],
  'activity.open': [],
  /** A store of an earlier time was put in the place of a later one. */
  'audit.restored': ['applied'],
  'deletions.apply_again': ['applied'],
  'deletions.certify': ['applied'],
  'page.open': [],
  'people.create': ['applied'],
  /** At a sign-in whose identity provider does not tell the groups: the roles stay. */
  'people.follow_sso_groups': ['refused'],
  /** What a sign-in at the identity provider does before it is one. */
  'people.grant_by_sso': ['applied'],
  'people.link_sso': ['applied'],
  'people.make_by_sso': ['applied'],
  'people.take_grant_by_sso': ['applied', 'refused'],
  /** Of who has a one-time link. */
  'people.set_password': ['applied'],
  /** Of somebody without a session, who is told nothing. */
  'people.forgot_password': ['applied'],
  /** Refusals that were only counted, because too many networks or people were refused at once. */
  'refusals.others': ['counted'],
  'session.sign_in': ['applied', 'refused'],
  'session.sign_out': ['applied'],
  'settings.open': [],
  /** A proof that does not fit the request it came with. */
  'step_ups.use': ['refused'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type DeskRequest = keyof typeof deskEvents

/** What somebody can be refused: an operation of the service, or a request of the desk's own. */
export type Refusable = ServiceOperationId | DeskRequest

type DeskEvent = { [K in DeskRequest]: `${K}.${(typeof deskEvents)[K][number]}` }[DeskRequest]

/** What can come of an action, as its rows end. */
export type OperationEvent = (typeof operationEvents)[number]

/** The stable name of what an audit row tells: what was asked, and the outcome. */
export type AuditCode = `${ServiceOperationId}.${OperationEvent}` | DeskEvent | `${Refusable}.${(typeof refusalEvents)[Refusal]}`

/**
 * What an audit row says. Ids, words and hashes only: a person is an id, an address a keyed hash. `code` is stable and different for each
 * outcome, like `payouts.release.start` and `payouts.release.applied`.
 */
export type AuditEntry = {
  code: AuditCode
  actor: string | null
  session?: string
  /** Keyed hashes of the address the request came from and of its network, see `client`; a row nobody asked for just then has none. */
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
  /** What was ticked before it was sent, by code. */
  warnings?: readonly string[]
  outcome?: string
  /** The version of the policy that asked for a second person. */
  policy?: number
  evidence_sha256?: string
  fault?: string | null
  subject?: string
  /** How somebody proved that it was them; of the proof itself, for which operation. */
  step_up?: Proof
  purpose?: OperationId
  /** Of a sign-in without a password of ours. */
  signed_in_by?: 'sso'
  /** Of a grant: what is granted, and when it ends, where it does. */
  role?: Role
  until?: string | null
  /** Rows of an export, as promised and as written. */
  promised?: number
  written?: number
  /** Names of the filters of an export; their values may hold a name. */
  filters?: string[]
  api_request_id?: string | null
  /** Of a view: which fields were changed, whether others see it, and for people of which accounts; none are those of the whole platform. */
  changed?: readonly string[]
  shared?: boolean
  accounts?: readonly string[]
  /** The last head that was kept of the store before a restore. */
  seen?: { seq: number; hash: string }
  /** When a restored store was accepted, and the signature of that and of the row before this one. */
  accepted?: { at: string; key: string; signature: string }
  /** The error code of a refusal; `repeated`: a row that stands for so many further ones of the minute before. */
  refusal?: Refusal
  repeated?: number
}

/** One link's hash: SHA-256 over a tag, the sequence, the hash before and the canonical JSON (RFC 8785) of the entry. */
export const linkHash = (seq: number, prev: string, body: string): string => sha256(`paydesk-audit-1\n${seq}\n${prev}\n${body}`)

/**
 * Appends one row inside the caller's transaction, so that the row and what it describes stand or fall together. The head row is locked
 * until that transaction ends, which is what keeps the sequence without gaps. Throws what the store throws; the caller must then not go on.
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
  const hash = linkHash(seq, head.hash, body)
  await tx.insert(audit).values({ seq, body, prev: head.hash, hash })
  await tx.update(auditHead).set({ seq, hash }).where(eq(auditHead.id, 1))
  return seq
}

/** Appends a row that describes no other change, such as a denial. Throws when it cannot be written. */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  const db = await database()
  await db.transaction(async (tx) => {
    await appendAudit(tx, entry)
  })
}
