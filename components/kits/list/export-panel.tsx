'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useZone } from '@/components/kits/layout/preferences-context'
import { Button } from '@/components/ui/button'
import { Progress } from '@/components/ui/progress'
import { type ExportProgress, fetchExport, saveFile } from '@/lib/client/export'
import { maxExportRows, whyTooManyRows } from '@/lib/domain/export-rules'
import { toApiRequestParts } from '@/lib/operations/http'
import { formatRetentionNotice, type ListExport } from './list-export'

const formatCount = (rowCount: number) => rowCount.toLocaleString('en-US')
const formatRowCount = (rowCount: number, { one, many }: ListExport) =>
  `${formatCount(rowCount)} ${rowCount === 1 ? one : many}`

function formatExpectedRowCount(listExport: ListExport): string {
  const { total, atLeast } = listExport
  if (total !== null) return formatRowCount(total, listExport)
  return atLeast > 0
    ? `At least ${formatRowCount(atLeast, listExport)}`
    : `All ${listExport.many} that match`
}

const formatProgress = ({ promised, written }: ExportProgress) =>
  promised === null
    ? `${formatCount(written)} so far`
    : `${formatCount(written)} of ${formatCount(promised)}`

function formatExportResult({ promised, written }: ExportProgress, listExport: ListExport): string {
  const resultText = `${formatRowCount(written, listExport)} exported`
  if (promised === null || promised === written) return `${resultText}.`
  return `${resultText}; ${formatCount(promised)} were expected: ${listExport.many} changed meanwhile.`
}

/** Maximum number of unreadable ids in the text. The file contains all of them. */
const maxListedIds = 10

function formatUnreadableIds(ids: readonly string[], listExport: ListExport): string {
  if (ids.length === 0) return ''
  const listedIdsText = ids.slice(0, maxListedIds).join(', ')
  const moreIdsText = ids.length > maxListedIds ? ` and ${ids.length - maxListedIds} more` : ''
  return ` ${formatRowCount(ids.length, listExport)} could not be read. The file has only their IDs: ${listedIdsText}${moreIdsText}.`
}

function useExport(listExport: ListExport) {
  const { environment, account } = usePageContext()
  const zone = useZone()
  const [progress, setProgress] = useState<ExportProgress>({ promised: null, written: 0 })
  const exportController = useRef<AbortController>(null)
  useEffect(() => () => exportController.current?.abort(), [])
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async ({ signal }: AbortController) => {
      const { url } = toApiRequestParts(
        `${listExport.list}.export`,
        { ...listExport.search, ...listExport.layout, zone },
        { environment, account },
      )
      const file = await fetchExport(url, signal, setProgress)
      saveFile(file)
      return formatExportResult(file, listExport) + formatUnreadableIds(file.unreadable, listExport)
    },
  })
  const startExport = () => {
    setProgress({ promised: listExport.total, written: 0 })
    exportController.current = new AbortController()
    mutate(exportController.current)
  }
  const exportFault =
    error &&
    (exportController.current?.signal.aborted ? 'Canceled. No file was saved.' : error.message)
  return {
    progress: isPending ? progress : null,
    end: data ?? null,
    fault: exportFault,
    zone,
    start: startExport,
    cancel: () => exportController.current?.abort(),
  }
}

/** An incomplete or canceled file is not saved. */
export function ExportPanel({ exported, onClose }: { exported: ListExport; onClose: () => void }) {
  const { progress, end, fault, zone, start, cancel } = useExport(exported)
  return (
    <div className="grid gap-2 text-sm">
      <p>
        <strong className="font-semibold">{formatExpectedRowCount(exported)}</strong>, on all pages.
        A file holds at most {formatCount(maxExportRows)}.
      </p>
      <p className="text-ink-2 text-xs">
        Times are in UTC{zone !== 'UTC' && ` and in ${zone}`}. Contact data is left out. The export
        is recorded.
        {exported.keptSince && ` ${formatRetentionNotice(exported.keptSince)}`}
      </p>
      {progress && (
        <Progress
          value={progress.promised ? progress.written / progress.promised : 0}
          label="Export"
        />
      )}
      <p role="status" className="text-ink-2 text-xs">
        {progress && formatProgress(progress)}
        {end}
      </p>
      {fault && (
        <p role="alert" className="font-medium text-bad text-xs">
          {fault}
        </p>
      )}
      <div className="flex gap-2">
        {progress ? (
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <StartExportButton exported={exported} again={end !== null} onStart={start} />
        )}
        <Button size="small" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

function findExportDisabledReason({ total, many }: ListExport): string | null {
  if (total === 0) return 'Nothing matches.'
  return total === null ? null : whyTooManyRows(total, many)
}

function StartExportButton({
  exported,
  again,
  onStart,
}: {
  exported: ListExport
  again: boolean
  onStart: () => void
}) {
  const startButtonRef = useRef<HTMLButtonElement>(null)
  useEffect(() => startButtonRef.current?.focus(), [])
  const { total, many } = exported
  return (
    <Button
      ref={startButtonRef}
      size="small"
      variant="primary"
      disabledReason={findExportDisabledReason(exported)}
      onClick={onStart}
    >
      {again ? 'Export again' : `Export ${total === null ? many : formatRowCount(total, exported)}`}
    </Button>
  )
}
