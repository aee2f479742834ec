import 'server-only'
import { asc, eq, gt } from 'drizzle-orm'
import { audit, auditHead } from '@/lib/server/store/schema/audit'
import type { Db } from '@/lib/server/store/store'
import { hashAuditRow } from './chain'

/**
 * An audit row that was once the newest. A copy outside the store lets a check detect rows that
 * were cut from the end.
 */
export type SeenHead = { seq: number; hash: string }

/** `bad` is the first wrong row; null if every row is valid. */
export type AuditVerdict = {
  rows: number
  head: SeenHead
  bad: { seq: number; why: string } | null
}

export type VerifiedPage = { last: SeenHead; bad: AuditVerdict['bad']; done: boolean }

/** Rows per read: few enough that a read does not block the embedded store for long. */
const pageSize = 5000

type ChainRow = { seq: number; body: string; prev: string; hash: string }
type SeenHashes = ReadonlyMap<number, string>

function findRowFault(row: ChainRow, previousRow: SeenHead): string | null {
  if (row.seq !== previousRow.seq + 1) return `row ${previousRow.seq + 1} is missing`
  if (row.prev !== previousRow.hash) return 'it does not follow from the row before it'
  if (row.hash !== hashAuditRow(row.seq, row.prev, row.body)) return 'its content was changed'
  return null
}

/** Stops at the first wrong row. Returns the last valid row, and the wrong one or null. */
function verifyRows(
  rows: readonly ChainRow[],
  last: SeenHead,
  seenHashes: SeenHashes,
): { last: SeenHead; bad: AuditVerdict['bad'] } {
  let currentHead = last
  for (const row of rows) {
    const headHash = seenHashes.get(row.seq)
    const rewrittenText =
      headHash !== undefined && headHash !== row.hash
        ? 'it was rewritten since its head was kept'
        : null
    const rowFault = findRowFault(row, currentHead) ?? rewrittenText
    if (rowFault) return { last: currentHead, bad: { seq: currentHead.seq + 1, why: rowFault } }
    currentHead = { seq: row.seq, hash: row.hash }
  }
  return { last: currentHead, bad: null }
}

function findEndFault(
  lastRow: SeenHead,
  seenHashes: SeenHashes,
  head: SeenHead | undefined,
): string | null {
  const newestSeq = Math.max(0, ...seenHashes.keys())
  if (newestSeq > lastRow.seq)
    return `the chain was cut: row ${newestSeq} was there when its head was kept`
  if (head?.seq !== lastRow.seq || head.hash !== lastRow.hash)
    return 'the chain does not end where its head says'
  return null
}

const toSeenHashes = (heads: readonly SeenHead[]): SeenHashes =>
  new Map(heads.map(({ seq, hash }) => [seq, hash]))

async function verifyPage(db: Db, from: SeenHead, seenHashes: SeenHashes): Promise<VerifiedPage> {
  const chainRows = await db
    .select()
    .from(audit)
    .where(gt(audit.seq, from.seq))
    .orderBy(asc(audit.seq))
    .limit(pageSize)
  const { last, bad } = verifyRows(chainRows, from, seenHashes)
  if (bad || chainRows.length === pageSize) return { last, bad, done: bad !== null }
  const [head] = await db
    .select({ seq: auditHead.seq, hash: auditHead.hash })
    .from(auditHead)
    .where(eq(auditHead.id, 1))
  const endFault = findEndFault(last, seenHashes, head)
  return { last, bad: endFault ? { seq: last.seq + 1, why: endFault } : null, done: true }
}

const snapshotTransaction = { isolationLevel: 'repeatable read' } as const

/**
 * Checks every row, and compares the end of the chain with the head row in the store and with
 * `heads`, which are kept outside the store. Reads in pages to limit memory.
 */
export const verifyAudit = (db: Db, heads: readonly SeenHead[]): Promise<AuditVerdict> =>
  // All pages are read in one snapshot: otherwise, rows that are appended during the check would
  // look like a wrong end of the chain.
  db.transaction(async (tx) => {
    const headHashes = toSeenHashes(heads)
    let lastVerifiedPage: VerifiedPage = { last: { seq: 0, hash: '' }, bad: null, done: false }
    while (!lastVerifiedPage.done)
      lastVerifiedPage = await verifyPage(tx, lastVerifiedPage.last, headHashes)
    return {
      rows: lastVerifiedPage.last.seq,
      head: lastVerifiedPage.last,
      bad: lastVerifiedPage.bad,
    }
  }, snapshotTransaction)

/**
 * One step of a check over several calls. `after` is the number of the last row of the previous
 * step; 0 starts the check. Rows that are appended between two steps are checked too.
 */
export const verifyAuditAfter = (
  db: Db,
  after: number,
  heads: readonly SeenHead[],
): Promise<VerifiedPage> =>
  db.transaction(async (tx) => {
    const [row] =
      after > 0
        ? await tx
            .select({ seq: audit.seq, hash: audit.hash })
            .from(audit)
            .where(eq(audit.seq, after))
        : []
    if (after > 0 && !row)
      return {
        last: { seq: after - 1, hash: '' },
        bad: { seq: after, why: 'it is missing' },
        done: true,
      }
    return verifyPage(tx, row ?? { seq: 0, hash: '' }, toSeenHashes(heads))
  }, snapshotTransaction)
