'use client'

import { useEffect, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Progress } from '@/components/ui/progress'
import { asCallError } from '@/lib/client/call-error'
import { type ExportFile, type ExportProgress, fetchExport } from '@/lib/client/export'
import { shownZone } from '@/lib/client/preferences'
import { sizeText } from '@/lib/domain/size-text'
import { exportApiPath } from '@/lib/routes'

type ExportPanelProps = { search: Readonly<Record<string, string>>; total: number | null; onClose: () => void }

/** About what a row weighs in the file, for a promise before it is written. */
const rowBytes = 420

/** Hands a file to the browser as a download. */
function save({ blob, name }: ExportFile) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

const count = (rows: number) => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'payment' : 'payments'}`

/** What became of an export, in a sentence. */
function endText({ promised, written }: ExportProgress): string {
  if (promised === written) return `${count(written)} written and saved, as promised.`
  return `${count(written)} written and saved; ${promised.toLocaleString('en-US')} were promised: payments changed while it was written.`
}

/** One export under way at most: its progress, its end or its fault in words, and the way to start and stop it. */
function useExport(search: ExportPanelProps['search'], total: number | null) {
  const { environment, account, preferences } = useDesk()
  const [progress, setProgress] = useState<ExportProgress | null>(null)
  const [end, setEnd] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const zone = shownZone(preferences)
  const start = async () => {
    const abort = new AbortController()
    stop.current = abort
    setFault(null)
    setEnd(null)
    setProgress({ promised: total ?? 0, written: 0 })
    try {
      const file = await fetchExport(exportApiPath(environment, { ...search, account, zone }), abort.signal, setProgress)
      save(file)
      setEnd(endText(file))
    } catch (error) {
      setFault(abort.signal.aborted ? 'Cancelled. No file was saved.' : asCallError(error).message)
    } finally {
      setProgress(null)
    }
  }
  return { progress, end, fault, zone, start, cancel: () => stop.current?.abort() }
}

/** The count first, then the file with its progress; a file that breaks off or is cancelled is not saved. */
export function ExportPanel({ search, total, onClose }: ExportPanelProps) {
  const { progress, end, fault, zone, start, cancel } = useExport(search, total)
  return (
    <div className="grid gap-2 text-sm">
      <p>
        {total === null ? 'All payments that match' : <strong className="font-semibold">{count(total)}</strong>} will be written
        {total !== null && `, about ${sizeText(total * rowBytes)}`}. Times stand in UTC and in {zone}. Contact data is left out. The export
        is on record.
      </p>
      {progress && <Progress value={progress.promised > 0 ? progress.written / progress.promised : 0} label="Export" />}
      <p role="status" className="text-ink-2 text-xs">
        {progress && `${progress.written.toLocaleString('en-US')} of ${progress.promised.toLocaleString('en-US')}`}
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
          <Start total={total} again={end !== null} onStart={() => void start()} />
        )}
        <Button size="small" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

/** Begins an export; takes the focus when the panel opens. */
function Start({ total, again, onStart }: { total: number | null; again: boolean; onStart: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const closed = total === 0 ? 'Nothing matches.' : null
  return (
    <Button ref={button} size="small" variant="primary" disabledReason={closed} onClick={onStart}>
      {again ? 'Write it again' : 'Write the file'}
    </Button>
  )
}
