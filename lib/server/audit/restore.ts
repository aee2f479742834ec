import 'server-only'
import { desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { log } from '@/lib/server/log'
import { audit, auditHead } from '@/lib/server/store/schema/audit'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { type AuditCode, appendAudit } from './chain'
import { archiveHeadsFile, readHeads } from './heads'
import { toAuditFieldSql } from './rows'
import { isSignatureValid, signBytes } from './signing'

const restoreAuditCode: AuditCode = 'audit.restored.applied'

type AcceptedRestore = { origin: string; seq: number; hash: string; at: string }

const toSignedBytes = ({ origin, seq, hash, at }: AcceptedRestore): Buffer =>
  Buffer.from(`paydesk-audit-restore-1\n${origin}\n${seq}\n${hash}\n${at}`)

const readChainOrigin = async (db: Db): Promise<string> =>
  (await db.select({ hash: audit.hash }).from(audit).where(eq(audit.seq, 1)))[0]?.hash ?? ''

/**
 * Appends a signed audit row, by which all instances recognize the restore. Returns the new path of
 * this instance's heads file; null if it had no heads.
 */
export async function acceptRestore(): Promise<string | null> {
  const newestHead = readHeads().heads.at(-1)
  await (await getDatabase()).transaction(async (tx) => {
    const [head] = await tx.select().from(auditHead).where(eq(auditHead.id, 1)).for('update')
    if (!head) throw new Error('the audit head is missing')
    const acceptanceTime = new Date().toISOString()
    const signature = signBytes(
      toSignedBytes({
        origin: await readChainOrigin(tx),
        seq: head.seq,
        hash: head.hash,
        at: acceptanceTime,
      }),
    )
    const lastHeadField = newestHead ? { seen: { seq: newestHead.seq, hash: newestHead.hash } } : {}
    await appendAudit(tx, {
      code: restoreAuditCode,
      actor: null,
      ...lastHeadField,
      accepted: { at: acceptanceTime, ...signature },
    })
  })
  return archiveHeadsFile()
}

const restoreBodyShape = z.object({
  accepted: z.object({ at: z.iso.datetime(), key: z.string(), signature: z.string() }),
})

/** Null if no restored store was accepted, or if no known key signed the acceptance. */
export async function readRestoreAcceptedAt(db: Db): Promise<string | null> {
  const restoreRowCondition = sql`${toAuditFieldSql('code')} collate "C" = ${restoreAuditCode}`
  const [row] = await db
    .select()
    .from(audit)
    .where(restoreRowCondition)
    .orderBy(desc(audit.seq))
    .limit(1)
  if (!row) return null
  const parseResult = restoreBodyShape.safeParse(JSON.parse(row.body))
  if (!parseResult.success) return null
  const { at, ...signature } = parseResult.data.accepted
  const acceptedRestore = {
    origin: await readChainOrigin(db),
    seq: row.seq - 1,
    hash: row.prev,
    at,
  }
  return isSignatureValid(toSignedBytes(acceptedRestore), signature) ? at : null
}

/**
 * Renames this instance's heads file if another instance accepted a restore after its newest head.
 * Returns the new path, or null if the file was not renamed.
 */
export async function archiveOutdatedHeads(db: Db): Promise<string | null> {
  const newestSignedHead = readHeads().heads.at(-1)
  const acceptedAt = await readRestoreAcceptedAt(db)
  if (!newestSignedHead || !acceptedAt || newestSignedHead.at >= acceptedAt) return null
  const archivePath = await archiveHeadsFile()
  log.warn({
    event: 'audit.heads_put_aside',
    seq: newestSignedHead.seq,
    hash: newestSignedHead.hash,
  })
  return archivePath
}
