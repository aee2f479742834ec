import 'server-only'
import { maxExportRows } from '@/lib/domain/export-rules'
import { createFieldError } from '@/lib/errors'
import { toCanonicalTimeZone } from '@/lib/formats'
import { type ExportedList, exportedLists } from '@/lib/operations/desk/exports'
import { type AuditEntry, type deskEvents, recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { getErrorCode } from '@/lib/server/error-code'
import type {
  DeskCall,
  DeskOperationHandler,
  DeskOperationHandlers,
} from '@/lib/server/http/desk-call'
import { readPageInOrder, runDownload } from '@/lib/server/http/downloads'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { log } from '@/lib/server/log'
import {
  createTooManyRowsError,
  type ExportRequest,
  type ExportSource,
  generateFileLines,
  type WrittenCounts,
} from './csv'
import {
  openDeletionsExport,
  openLimitsExport,
  openRequestsExport,
  openWebhooksExport,
} from './desk-lists'
import { formatExportFileName } from './file-name'
import { omitHiddenColumns } from './hidden-columns'
import { serviceLists } from './lists'
import { openActionsExport, openLimitRequestsExport } from './open-lists'
import { openServiceList } from './service-list'

type ExportOpener = (asked: ExportRequest) => Promise<ExportSource>

const serviceListOpeners = Object.fromEntries(
  Object.entries(serviceLists).map(([list, table]): [string, ExportOpener] => [
    list,
    (asked) => openServiceList(table, asked),
  ]),
) as Record<keyof typeof serviceLists, ExportOpener>

const exportOpeners: Readonly<Record<ExportedList, ExportOpener>> = {
  ...serviceListOpeners,
  requests: openRequestsExport,
  deletions: openDeletionsExport,
  webhooks: openWebhooksExport,
  open_actions: openActionsExport,
  limits: openLimitsExport,
  limit_requests: openLimitRequestsExport,
}

type ExportOperationId = `${ExportedList}.export`
type OpenedExport = { list: ExportedList; asked: ExportRequest; zone: string; source: ExportSource }
type DownloadControl = { signal: AbortSignal; ended: () => void }
type ExportOutcome = (typeof deskEvents)['payments.export'][number]

/** Every other name of UTC becomes `UTC`. Throws `invalid_input` for an unknown zone. */
function parseTimeZone(rawZone: unknown): string {
  const zone = toCanonicalTimeZone(typeof rawZone === 'string' ? rawZone : 'UTC')
  if (zone !== null) return /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu|Universal)$/.test(zone) ? 'UTC' : zone
  throw createFieldError('zone', 'Must be the name of a time zone, like America/New_York.')
}

const toAuditEntry = (
  { list, asked, source }: OpenedExport,
  outcome: ExportOutcome,
): AuditEntry => ({
  code: `${list}.export.${outcome}`,
  ...toActorFields(asked.actor),
  environment: asked.environment,
  account: source.accountId,
  filters: Object.keys(asked.filters)
    .filter((name) => !name.startsWith('sort_'))
    .sort(),
  ...(source.promised === null ? {} : { promised: source.promised }),
})

/** The end is recorded in the audit before the stream closes. An error aborts the download. */
function streamExport(
  openedExport: OpenedExport,
  { signal, ended }: DownloadControl,
): ReadableStream<Uint8Array> {
  const fileLines = generateFileLines(openedExport.source, openedExport.zone, signal)
  const encoder = new TextEncoder()
  const recordExportEnd = (outcome: ExportOutcome, counts: Partial<WrittenCounts> = {}) => {
    ended()
    return readPageInOrder(() => recordAudit({ ...toAuditEntry(openedExport, outcome), ...counts }))
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        const nextLines = await fileLines.next()
        if (!nextLines.done) return controller.enqueue(encoder.encode(nextLines.value))
        await recordExportEnd('applied', nextLines.value)
        controller.close()
      } catch (error) {
        log.warn({
          event: 'export.broken',
          environment: openedExport.asked.environment,
          code: getErrorCode(error),
        })
        await recordExportEnd('broken').catch((error: unknown) =>
          log.error({ event: 'export.not_recorded', code: getErrorCode(error) }),
        )
        controller.error(error)
      }
    },
    async cancel() {
      await recordExportEnd('cancelled')
    },
  })
}

async function openExport(
  list: ExportedList,
  { actor, environment, account, input }: DeskCall<ExportOperationId>,
): Promise<OpenedExport> {
  const { zone, hidden, ...filters } = input
  const exportRequest: ExportRequest = { actor, environment, account, filters }
  const exportSource = await exportOpeners[list](exportRequest)
  if (exportSource.promised !== null && exportSource.promised > maxExportRows)
    throw createTooManyRowsError(exportSource.promised, exportSource.many)
  const columns = omitHiddenColumns(exportSource.columns, String(hidden ?? '').split(','))
  return {
    list,
    asked: exportRequest,
    zone: parseTimeZone(zone),
    source: { ...exportSource, columns },
  }
}

const createExportHandler =
  (list: ExportedList): DeskOperationHandler<ExportOperationId> =>
  async (call) => {
    const { request, actor, environment, requestId } = call
    const openedExport = await readPageInOrder(() => openExport(list, call))
    const { filters } = openedExport.asked
    const fileName = formatExportFileName(list, environment, filters, new Date())
    const exportCountHeader: Record<string, string> =
      openedExport.source.promised === null
        ? {}
        : { 'export-count': String(openedExport.source.promised) }
    return runDownload(actor.id, async (ended) => {
      await readPageInOrder(() => recordAudit(toAuditEntry(openedExport, 'start')))
      const body = streamExport(openedExport, { signal: request.signal, ended })
      return createFileResponse(
        body,
        { name: fileName, type: 'text/csv; charset=utf-8', requestId },
        exportCountHeader,
      )
    })
  }

/**
 * The header `Export-Count` has the expected number of rows, if it is known. Start and end are
 * audited with the names of the filters and the counts, never with filter values.
 */
export const exportHandlers = Object.fromEntries(
  exportedLists.map((list) => [`${list}.export`, createExportHandler(list)]),
) as DeskOperationHandlers<ExportOperationId>
