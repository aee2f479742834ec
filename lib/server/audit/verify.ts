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

/** Walks a page of rows from `last` on; ends at the first row that is wrong. */
function walk(rows: readonly Link[], last: SeenHead, seen: SeenHead | null): { last: SeenHead; bad: Verdict['bad'] } {
  let at = last
  for (const row of rows) {
    const rewritten = seen?.seq === row.seq && seen.hash !== row.hash ? 'it was rewritten since the last check' : null
    const why = faultOf(row, at) ?? rewritten
    if (why) return { last: at, bad: { seq: at.seq + 1, why } }
    at = { seq: row.seq, hash: row.hash }
  }
  return { last: at, bad: null }
}

function endFault(last: SeenHead, seen: SeenHead | null, head: SeenHead | undefined): string | null {
  if (seen && seen.seq > last.seq) return `the chain was cut: row ${seen.seq} was there at the last check`
  if (head?.seq !== last.seq || head.hash !== last.hash) return 'the chain does not end where its head says'
  return null
}

/**
 * Walks every link from the first row and compares the end with the head row and with the head seen last time. Reads in pages, so a million
 * rows need no more memory than a few thousand.
 */
export const verifyAudit = (db: Db, seen: SeenHead | null): Promise<Verdict> =>
  // One snapshot: a desk that goes on writing meanwhile must not look like a chain without its end.
  db.transaction((tx) => verifyIn(tx, seen), { isolationLevel: 'repeatable read' })

async function verifyIn(db: Db, seen: SeenHead | null): Promise<Verdict> {
  let last: SeenHead = { seq: 0, hash: '' }
  for (;;) {
    const rows = await db.select().from(audit).where(gt(audit.seq, last.seq)).orderBy(asc(audit.seq)).limit(page)
    const walked = walk(rows, last, seen)
    last = walked.last
    if (walked.bad) return { rows: last.seq, head: last, bad: walked.bad }
    if (rows.length < page) break
  }
  const [head] = await db.select({ seq: auditHead.seq, hash: auditHead.hash }).from(auditHead).where(eq(auditHead.id, 1))
  const why = endFault(last, seen, head)
  return { rows: last.seq, head: last, bad: why ? { seq: last.seq + 1, why } : null }
}
