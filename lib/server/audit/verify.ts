import 'server-only'
import { asc, eq, gt } from 'drizzle-orm'
import { audit, auditHead } from '@/lib/server/store/schema/audit'
import type { Db } from '@/lib/server/store/store'
import { hashAuditRow } from './chain'

/** An earlier head of the chain. It is kept outside the database, so that rows missing at the end of the chain are noticed. */
export type SeenHead = { seq: number; hash: string }

/** Result of a full check. `bad` contains the first wrong row and the reason; null if every link is valid. */
export type AuditVerdict = { rows: number; head: SeenHead; bad: { seq: number; why: string } | null }

export type VerifyStep = { last: SeenHead; bad: AuditVerdict['bad']; done: boolean }

/** Rows per read: few enough that the embedded store is not blocked for long. */
const page = 5000

type ChainRow = { seq: number; body: string; prev: string; hash: string }
type SeenHashes = ReadonlyMap<number, string>

function findRowFault(row: ChainRow, before: SeenHead): string | null {
  if (row.seq !== before.seq + 1) return `row ${before.seq + 1} is missing`
  if (row.prev !== before.hash) return 'it does not follow from the row before it'
  if (row.hash !== hashAuditRow(row.seq, row.prev, row.body)) return 'its content was changed'
  return null
}

/** Checks a page of rows after `last`. Stops at the first wrong row. */
function checkRows(rows: readonly ChainRow[], last: SeenHead, seen: SeenHashes): { last: SeenHead; bad: AuditVerdict['bad'] } {
  let currentHead = last
  for (const row of rows) {
    const headHash = seen.get(row.seq)
    const rewrittenText = headHash !== undefined && headHash !== row.hash ? 'it was rewritten since its head was kept' : null
    const why = findRowFault(row, currentHead) ?? rewrittenText
    if (why) return { last: currentHead, bad: { seq: currentHead.seq + 1, why } }
    currentHead = { seq: row.seq, hash: row.hash }
  }
  return { last: currentHead, bad: null }
}

function findEndFault(last: SeenHead, seen: SeenHashes, head: SeenHead | undefined): string | null {
  const newestSeq = Math.max(0, ...seen.keys())
  if (newestSeq > last.seq) return `the chain was cut: row ${newestSeq} was there when its head was kept`
  if (head?.seq !== last.seq || head.hash !== last.hash) return 'the chain does not end where its head says'
  return null
}

const toSeenHashes = (heads: readonly SeenHead[]): SeenHashes => new Map(heads.map(({ seq, hash }) => [seq, hash]))

async function verifyPage(db: Db, from: SeenHead, seen: SeenHashes): Promise<VerifyStep> {
  const rows = await db.select().from(audit).where(gt(audit.seq, from.seq)).orderBy(asc(audit.seq)).limit(page)
  const { last, bad } = checkRows(rows, from, seen)
  if (bad || rows.length === page) return { last, bad, done: bad !== null }
  const [head] = await db.select({ seq: auditHead.seq, hash: auditHead.hash }).from(auditHead).where(eq(auditHead.id, 1))
  const why = findEndFault(last, seen, head)
  return { last, bad: why ? { seq: last.seq + 1, why } : null, done: true }
}

const snapshotRead = { isolationLevel: 'repeatable read' } as const

/**
 * Checks every link from the first row and compares the chain with its head row and with heads kept outside the store. Reads in pages, so
 * that a million rows need no more memory than a few thousand.
 */
export const verifyAudit = (db: Db, heads: readonly SeenHead[]): Promise<AuditVerdict> =>
  // One snapshot: rows that are appended during the check must not look like a wrong end.
  db.transaction(async (tx) => {
    const headHashes = toSeenHashes(heads)
    let step: VerifyStep = { last: { seq: 0, hash: '' }, bad: null, done: false }
    while (!step.done) step = await verifyPage(tx, step.last, headHashes)
    return { rows: step.last.seq, head: step.last, bad: step.bad }
  }, snapshotRead)

/**
 * Checks one page of the chain, as one step of a check over several calls. `after` is the last row of the previous step; 0 starts the
 * check. Includes rows that are appended between steps.
 */
export const verifyAuditAfter = (db: Db, after: number, heads: readonly SeenHead[]): Promise<VerifyStep> =>
  db.transaction(async (tx) => {
    const [row] = after > 0 ? await tx.select({ seq: audit.seq, hash: audit.hash }).from(audit).where(eq(audit.seq, after)) : []
    if (after > 0 && !row) return { last: { seq: after - 1, hash: '' }, bad: { seq: after, why: 'it is missing' }, done: true }
    return verifyPage(tx, row ?? { seq: 0, hash: '' }, toSeenHashes(heads))
  }, snapshotRead)
