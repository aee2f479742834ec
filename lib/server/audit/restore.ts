import 'server-only'
import { desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { log } from '@/lib/server/log'
import { audit, auditHead } from '@/lib/server/store/schema/audit'
import { type Db, database } from '@/lib/server/store/store'
import { type AuditCode, appendAudit } from './chain'
import { moveHeadsAside, readHeads } from './heads'
import { toAuditField } from './rows'
import { isSigned, signBytes } from './signing'

const code: AuditCode = 'audit.restored.applied'

type AcceptedRestore = { origin: string; seq: number; hash: string; at: string }

const toSignedBytes = ({ origin, seq, hash, at }: AcceptedRestore): Buffer =>
  Buffer.from(`paydesk-audit-restore-1\n${origin}\n${seq}\n${hash}\n${at}`)

const readOrigin = async (db: Db): Promise<string> =>
  (await db.select({ hash: audit.hash }).from(audit).where(eq(audit.seq, 1)))[0]?.hash ?? ''

/**
 * Accepts a store that was restored from a backup, for all instances: appends a signed audit row. Renames the heads file of this instance.
 * Returns its new name; null if there were no heads.
 */
export async function acceptRestore(): Promise<string | null> {
  const newest = readHeads().heads.at(-1)
  await (await database()).transaction(async (tx) => {
    const [head] = await tx.select().from(auditHead).where(eq(auditHead.id, 1)).for('update')
    if (!head) throw new Error('the audit head is missing')
    const at = new Date().toISOString()
    const signature = signBytes(toSignedBytes({ origin: await readOrigin(tx), seq: head.seq, hash: head.hash, at }))
    const lastHeadField = newest ? { seen: { seq: newest.seq, hash: newest.hash } } : {}
    await appendAudit(tx, { code, actor: null, ...lastHeadField, accepted: { at, ...signature } })
  })
  return moveHeadsAside()
}

const body = z.object({ accepted: z.object({ at: z.iso.datetime(), key: z.string(), signature: z.string() }) })

/** Returns the time when a restored store was last accepted; null if no known key signed the acceptance, or if there is none. */
export async function readRestoreAcceptedAt(db: Db): Promise<string | null> {
  const isRestoreRow = sql`${toAuditField('code')} collate "C" = ${code}`
  const [row] = await db.select().from(audit).where(isRestoreRow).orderBy(desc(audit.seq)).limit(1)
  if (!row) return null
  const parseResult = body.safeParse(JSON.parse(row.body))
  if (!parseResult.success) return null
  const { at, ...signature } = parseResult.data.accepted
  const accepted = { origin: await readOrigin(db), seq: row.seq - 1, hash: row.prev, at }
  return isSigned(toSignedBytes(accepted), signature) ? at : null
}

/**
 * Renames the heads file of this instance if its heads are older than an accepted restore, which another instance may have accepted.
 * Returns the new name of the file; null if it stays.
 */
export async function archiveOutdatedHeads(db: Db): Promise<string | null> {
  const newest = readHeads().heads.at(-1)
  const at = await readRestoreAcceptedAt(db)
  if (!newest || !at || newest.at >= at) return null
  const archivePath = await moveHeadsAside()
  log.warn({ event: 'audit.heads_put_aside', seq: newest.seq, hash: newest.hash })
  return archivePath
}
