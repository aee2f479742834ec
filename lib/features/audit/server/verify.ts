import 'server-only'
import { eq } from 'drizzle-orm'
import type { AuditVerification } from '@/lib/operations/audit'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { findHeadsFault, readHeads, storeHead } from '@/lib/server/audit/heads'
import { verifyAuditAfter } from '@/lib/server/audit/verify'
import type { Actor } from '@/lib/server/auth/session-rows'
import { auditHead } from '@/lib/server/store/schema/audit'
import { getDatabase } from '@/lib/server/store/store'

/** The page repeats the request until `done`. The audit log records only the first, from row 0. */
export async function verifyNextAuditRows(
  actor: Actor,
  afterSeq: number,
): Promise<AuditVerification> {
  const db = await getDatabase()
  if (afterSeq === 0)
    await db.transaction(
      async (tx) =>
        void (await appendAudit(tx, { code: 'audit.verify.applied', ...toActorFields(actor) })),
    )
  const { heads } = readHeads()
  const { last, bad, done } = await verifyAuditAfter(db, afterSeq, heads)
  const [head] = await db.select({ seq: auditHead.seq }).from(auditHead).where(eq(auditHead.id, 1))
  const headsFault = done && !bad ? await findHeadsFault(db) : null
  const newestHead = done && !bad && !headsFault ? await storeHead() : (heads.at(-1) ?? null)
  return {
    rows: last.seq,
    total: head?.seq ?? last.seq,
    done,
    hash: last.hash,
    bad: headsFault ? { seq: heads.at(-1)?.seq ?? last.seq, why: headsFault } : bad,
    signed: newestHead && { seq: newestHead.seq, at: newestHead.at, key: newestHead.key },
  }
}
