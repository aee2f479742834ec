import 'server-only'
import canonicalize from 'canonicalize'
import { eq, sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { sha256 } from '@/lib/server/sha256'
import { audit, auditHead } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import type { AuditCode, Refusal } from './codes'

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
  outcome?: string
  evidence_sha256?: string
  fault?: string | null
  subject?: string
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
