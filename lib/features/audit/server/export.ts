import 'server-only'
import { and, asc, gt, lte, max } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { AuditFilter } from '@/lib/operations/audit.schema'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { readHeads, storeHead } from '@/lib/server/audit/heads'
import { toJsonLine } from '@/lib/server/audit/rows'
import { createSignedZip, type Manifest } from '@/lib/server/audit/signed-zip'
import type { Actor } from '@/lib/server/auth/session-rows'
import { formatCsvLines } from '@/lib/server/http/csv-lines'
import { readPageInOrder, runDownload, toStream } from '@/lib/server/http/downloads'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { audit } from '@/lib/server/store/schema/audit'
import { database } from '@/lib/server/store/store'
import { type AuditReadScope, canReadAll, toRowsCondition } from './rows'

const pageSize = 500

type StoredRow = typeof audit.$inferSelect
type AuditExportRequest = { actor: Actor; readable: AuditReadScope; filter: AuditFilter; whole: boolean; requestId: string }

const csvColumns = [
  'seq',
  'at',
  'code',
  'actor',
  'environment',
  'account',
  'target',
  'action',
  'request_id',
  'body',
  'prev',
  'hash',
] as const

function toCsvCells(row: StoredRow): unknown[] {
  const body = JSON.parse(row.body) as Record<string, unknown>
  return csvColumns.map((name) => (name in row ? row[name as keyof StoredRow] : (body[name] ?? '')))
}

/** Returns the audit rows up to the number `last`, in the order of the chain, in pages. `told` counts the rows that were read. */
function pageRowsUpTo(last: number, where: ReturnType<typeof toRowsCondition>) {
  const rowRange = { rows: 0, first: 0, last: 0 }
  async function* pages(): AsyncGenerator<StoredRow[]> {
    const db = await database()
    let lastSeq = 0
    for (;;) {
      const rows = await readPageInOrder(() =>
        db
          .select()
          .from(audit)
          .where(and(where, gt(audit.seq, lastSeq), lte(audit.seq, last)))
          .orderBy(asc(audit.seq))
          .limit(pageSize),
      )
      if (rows.length > 0) yield rows
      if (rows.length < pageSize) return
      lastSeq = rows.at(-1)?.seq ?? last
    }
  }
  return { told: rowRange, pages }
}

async function* generateJsonLines({ told, pages }: ReturnType<typeof pageRowsUpTo>): AsyncGenerator<string> {
  for await (const rows of pages()) {
    told.first ||= rows[0]?.seq ?? 0
    told.last = rows.at(-1)?.seq ?? told.last
    told.rows += rows.length
    yield rows.map(toJsonLine).join('')
  }
}

async function* generateCsvLines({ pages }: ReturnType<typeof pageRowsUpTo>): AsyncGenerator<string> {
  yield `\uFEFF${formatCsvLines([[...csvColumns]])}`
  for await (const rows of pages()) yield formatCsvLines(rows.map(toCsvCells))
}

async function createAuditFile({ actor, readable, filter, whole, requestId }: AuditExportRequest, end: () => void): Promise<Response> {
  if (whole && !canReadAll(actor))
    throw new AppError('forbidden', 'Only an admin of the whole platform in every environment can export the whole audit.')
  const { environment } = readable
  const filters = whole ? [] : Object.keys(filter)
  await recordAudit({ code: 'audit.export.start', ...toActorFields(actor), environment, filters })
  const head = await storeHead()
  const [newest] = await (await database()).select({ seq: max(audit.seq) }).from(audit)
  const rows = pageRowsUpTo(newest?.seq ?? 0, whole ? undefined : toRowsCondition(readable, filter))
  const madeAt = new Date().toISOString()
  const manifest = (): Manifest => ({
    format: 'paydesk-audit-1',
    made_at: madeAt,
    made_by: actor.id,
    whole,
    environment: whole ? null : environment,
    filters,
    ...rows.told,
    head: head && { seq: head.seq, hash: head.hash },
  })
  const heads = readHeads()
    .heads.filter(({ seq }) => seq <= (newest?.seq ?? 0))
    .map((each) => `${JSON.stringify(each)}\n`)
  const files = [
    { name: 'audit.jsonl', parts: generateJsonLines(rows) },
    { name: 'audit.csv', parts: generateCsvLines(rows) },
    { name: 'heads.jsonl', parts: heads },
  ]
  async function* recorded() {
    yield* createSignedZip(files, manifest)
    await recordAudit({ code: 'audit.export.applied', ...toActorFields(actor), environment, written: rows.told.rows })
  }
  const name = `audit-${madeAt.slice(0, 10)}${whole ? '' : '-slice'}.zip`
  return createFileResponse(toStream(recorded(), end), { name, type: 'application/zip', requestId })
}

/**
 * Exports the audit as a signed zip with the rows exactly as they are chained (JSONL), the same rows for a spreadsheet (CSV), the signed
 * heads of the chain, and the verifier. `whole` exports all rows. Without it the file is a slice, in which each row can be verified only by
 * itself. The start is audited before the first byte, and the end after the last. Throws `too_many` while another download of the person
 * runs.
 */
export const exportAudit = (wanted: AuditExportRequest): Promise<Response> =>
  runDownload(wanted.actor.id, (end) => createAuditFile(wanted, end))
