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
import { readPageInOrder, runDownload, toDownloadStream } from '@/lib/server/http/downloads'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { audit } from '@/lib/server/store/schema/audit'
import { getDatabase } from '@/lib/server/store/store'
import { type AuditReadScope, canReadWholeAudit, toAuditRowsCondition } from './rows'

const pageSize = 500

type StoredRow = typeof audit.$inferSelect
type AuditExportRequest = {
  actor: Actor
  readable: AuditReadScope
  filter: AuditFilter
  whole: boolean
  requestId: string
}

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

/**
 * `pages` reads the rows in the order of the chain. `told` has their range and number, which
 * `generateJsonLines` sets while it writes the file.
 */
function createAuditRowPages(maxSeq: number, where: ReturnType<typeof toAuditRowsCondition>) {
  const rowRange = { rows: 0, first: 0, last: 0 }
  async function* generatePages(): AsyncGenerator<StoredRow[]> {
    const db = await getDatabase()
    let lastSeq = 0
    for (;;) {
      const auditRows = await readPageInOrder(() =>
        db
          .select()
          .from(audit)
          .where(and(where, gt(audit.seq, lastSeq), lte(audit.seq, maxSeq)))
          .orderBy(asc(audit.seq))
          .limit(pageSize),
      )
      if (auditRows.length > 0) yield auditRows
      if (auditRows.length < pageSize) return
      lastSeq = auditRows.at(-1)?.seq ?? maxSeq
    }
  }
  return { told: rowRange, pages: generatePages }
}

async function* generateJsonLines({
  told,
  pages,
}: ReturnType<typeof createAuditRowPages>): AsyncGenerator<string> {
  for await (const rows of pages()) {
    told.first ||= rows[0]?.seq ?? 0
    told.last = rows.at(-1)?.seq ?? told.last
    told.rows += rows.length
    yield rows.map(toJsonLine).join('')
  }
}

async function* generateCsvLines({
  pages,
}: ReturnType<typeof createAuditRowPages>): AsyncGenerator<string> {
  yield `\uFEFF${formatCsvLines([[...csvColumns]])}`
  for await (const rows of pages()) yield formatCsvLines(rows.map(toCsvCells))
}

async function createAuditFile(
  { actor, readable, filter, whole, requestId }: AuditExportRequest,
  endDownload: () => void,
): Promise<Response> {
  if (whole && !canReadWholeAudit(actor))
    throw new AppError(
      'forbidden',
      'Only an admin of the whole platform in every environment can export the whole audit.',
    )
  const { environment } = readable
  const filterNames = whole ? [] : Object.keys(filter).filter((name) => name !== 'zone')
  await recordAudit({
    code: 'audit.export.start',
    ...toActorFields(actor),
    environment,
    filters: filterNames,
  })
  const chainHead = await storeHead()
  const [newest] = await (await getDatabase()).select({ seq: max(audit.seq) }).from(audit)
  const rowPages = createAuditRowPages(
    newest?.seq ?? 0,
    whole ? undefined : toAuditRowsCondition(readable, filter),
  )
  const madeAt = new Date().toISOString()
  const createManifest = (): Manifest => ({
    format: 'paydesk-audit-1',
    made_at: madeAt,
    made_by: actor.id,
    whole,
    environment: whole ? null : environment,
    filters: filterNames,
    ...rowPages.told,
    head: chainHead && { seq: chainHead.seq, hash: chainHead.hash },
  })
  const signedHeadLines = readHeads()
    .heads.filter(({ seq }) => seq <= (newest?.seq ?? 0))
    .map((each) => `${JSON.stringify(each)}\n`)
  const zipFiles = [
    { name: 'audit.jsonl', parts: generateJsonLines(rowPages) },
    { name: 'audit.csv', parts: generateCsvLines(rowPages) },
    { name: 'heads.jsonl', parts: signedHeadLines },
  ]
  async function* generateAuditedZip() {
    yield* createSignedZip(zipFiles, createManifest)
    await recordAudit({
      code: 'audit.export.applied',
      ...toActorFields(actor),
      environment,
      written: rowPages.told.rows,
    })
  }
  const fileName = `audit-${madeAt.slice(0, 10)}${whole ? '' : '-slice'}.zip`
  return createFileResponse(toDownloadStream(generateAuditedZip(), endDownload), {
    name: fileName,
    type: 'application/zip',
    requestId,
  })
}

/**
 * A signed zip: the rows exactly as they are in the hash chain (JSONL), the same rows for a
 * spreadsheet (CSV), the signed heads of the chain, and a program that verifies them. Without
 * `whole`, each row can be verified only by itself. The audit log records the start of the download
 * before its first byte, and the end after its last one. Throws `too_many` while another download
 * of the person runs.
 */
export const exportAudit = (exportRequest: AuditExportRequest): Promise<Response> =>
  runDownload(exportRequest.actor.id, (end) => createAuditFile(exportRequest, end))
