import 'server-only'
import { asc, eq, gt } from 'drizzle-orm'
import { audit, auditHead } from '@/lib/server/store/schema'
import type { Db } from '@/lib/server/store/store'
import { linkHash } from './chain'

/** A head of the chain that was seen before; kept outside the store, so that a chain cut at its end is noticed. */
export type SeenHead = { seq: number; hash: string }

/** What walking the chain found. `bad` names the first row that is wrong and why; null when every link holds. */
export type Verdict = { rows: number; head: SeenHead; bad: { seq: number; why: string } | null }

const page = 5000

type Link = { seq: number; body: string; prev: string; hash: string }

function faultOf(row: Link, before: SeenHead): string | null {
  if (row.seq !== before.seq + 1) return `row ${before.seq + 1} is missing`
  if (row.prev !== before.hash) return 'it does not follow from the row before it'
  if (row.hash !== linkHash(row.seq, row.prev, row.body)) return 'its content was changed'
  return null
}

/**
 * Walks every link from the first row and compares the end with the head row and with the head seen last time. Reads in pages, so a million
 * rows need no more memory than a few thousand.
 */
export async function verifyAudit(db: Db, seen: SeenHead | null): Promise<Verdict> {
  let last: SeenHead = { seq: 0, hash: '' }
  let seenAgain = seen === null || seen.seq === 0
  for (;;) {
    const rows = await db.select().from(audit).where(gt(audit.seq, last.seq)).orderBy(asc(audit.seq)).limit(page)
    for (const row of rows) {
      const why = faultOf(row, last)
      if (why) return { rows: last.seq, head: last, bad: { seq: last.seq + 1, why } }
      last = { seq: row.seq, hash: row.hash }
      if (seen && row.seq === seen.seq) {
        if (row.hash !== seen.hash) return { rows: last.seq, head: last, bad: { seq: row.seq, why: 'it was rewritten since the last check' } }
        seenAgain = true
      }
    }
    if (rows.length < page) break
  }
  const [head] = await db.select().from(auditHead).where(eq(auditHead.id, 1))
  const end = { seq: last.seq + 1, why: '' }
  if (!seenAgain) return { rows: last.seq, head: last, bad: { ...end, why: `the chain was cut: row ${seen?.seq} was there at the last check` } }
  if (!head || head.seq !== last.seq || head.hash !== last.hash) {
    return { rows: last.seq, head: last, bad: { ...end, why: 'the chain does not end where its head says' } }
  }
  return { rows: last.seq, head: last, bad: null }
}
