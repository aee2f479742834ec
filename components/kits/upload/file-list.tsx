'use client'

import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { ViewDocumentButton } from '@/components/kits/document/view-button'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Progress } from '@/components/ui/progress'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import type { CallError } from '@/lib/client/call-error'
import { formatFileSize } from '@/lib/formats'
import type { FileJob, FileState } from './file-queue'

type FileDropProps = {
  accept: string
  disabledReason: string | null
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}

/**
 * A box for choosing, dropping or pasting files. It contains the rules for files (`children`), so
 * that the person sees them before anything is sent.
 */
export function FileDrop({ accept, disabledReason, onFiles, children }: FileDropProps) {
  const [isDragOver, setOver] = useState(false)
  const fileInputRef = useRef<HTMLInputElement>(null)
  const addFiles = (files: FileList | null) => {
    if (disabledReason === null && files && files.length > 0) onFiles([...files])
  }
  useWindowEvent('paste', (event) => addFiles(event.clipboardData?.files ?? null))
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    addFiles(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would render its legend in the border
    <div
      role="group"
      aria-label="Files to upload"
      data-over={isDragOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={cn(
        'grid gap-2 rounded border border-dashed p-3 text-sm',
        isDragOver ? 'border-accent bg-selected' : 'border-control',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button disabledReason={disabledReason} onClick={() => fileInputRef.current?.click()}>
          Choose files
        </Button>
        <span className="text-ink-2 max-sm:hidden">or drop or paste them here</span>
      </div>
      <input
        ref={fileInputRef}
        type="file"
        multiple
        accept={accept}
        aria-label="Documents"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          addFiles(event.target.files)
          event.target.value = ''
        }}
      />
      <div className="text-ink-3 text-xs">{children}</div>
    </div>
  )
}

type FileRowsProps = {
  jobs: readonly FileJob[]
  onStop: (id: string) => void
  onRetry: (id: string) => void
  onRemove: (id: string) => void
  onConfirm: (id: string) => void
}

const stateLabels: Record<FileState, { tone: Tone; word: string }> = {
  checking: { tone: 'moving', word: 'Checking' },
  refused: { tone: 'bad', word: 'Not sent' },
  confirm: { tone: 'held', word: 'Check first' },
  ready: { tone: 'neutral', word: 'Ready' },
  waiting: { tone: 'neutral', word: 'Waiting' },
  sending: { tone: 'moving', word: 'Sending' },
  attached: { tone: 'good', word: 'Attached' },
  failed: { tone: 'bad', word: 'Refused' },
  unknown: { tone: 'unknown', word: 'Outcome unknown' },
  cancelled: { tone: 'neutral', word: 'Canceled' },
}

export const FileRows = (props: FileRowsProps) => (
  <ul aria-label="Files" className="grid gap-2" aria-live="polite">
    {props.jobs.map((job) => (
      <li
        key={job.id}
        className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 text-sm"
      >
        <ToneIcon
          tone={stateLabels[job.state].tone}
          className={`mt-0.5 size-4 ${toneTextClasses[stateLabels[job.state].tone]}`}
        />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <ExternalText className="min-w-0 break-all font-medium">{job.file.name}</ExternalText>
            <span className="text-ink-3 text-xs">
              {formatFileSize(job.file.size)} · {formatJobState(job)}
            </span>
          </p>
          {job.state === 'sending' && (
            <Progress value={job.share < 1 ? job.share : null} label={`Sending ${job.file.name}`} />
          )}
          <UploadJobReason job={job} />
        </div>
        <FileRowButtons job={job} {...props} />
      </li>
    ))}
  </ul>
)

function formatJobState(job: FileJob): string {
  if (job.state === 'sending')
    return job.share < 1 ? `sending ${Math.floor(job.share * 100)}%` : 'processing'
  const isServerBusy =
    job.state === 'failed' && (job.error?.code === 'too_many' || job.error?.code === 'unavailable')
  return isServerBusy ? 'not sent' : stateLabels[job.state].word.toLowerCase()
}

function UploadJobReason({ job }: { job: FileJob }) {
  if (job.problem) {
    return (
      <p className="text-ink-2">
        {job.problem.reason} {job.problem.fix}
      </p>
    )
  }
  if (job.state === 'confirm') return <p className="text-ink-2">{job.warning}</p>
  if (job.state === 'unknown')
    return (
      <p className="text-ink-2">
        The file may already be attached. Try again: the file can’t be attached twice.
      </p>
    )
  if (job.error) {
    return <p className="text-ink-2">{formatUploadError(job.error)}</p>
  }
  return job.note ? <p className="text-ink-2">{job.note}</p> : null
}

/** Omits repeated details and the prefix "File:", because the row names the file. */
function formatUploadError({ message, items }: CallError): string {
  const detailsNotInMessage = items
    .map((item) => item.detail)
    .filter((detail) => !message.includes(detail))
  return [
    message.replace(/^File: ./, (start) => start.slice(-1).toUpperCase()),
    ...detailsNotInMessage,
  ].join(' ')
}

function FileRowButtons({
  job,
  onStop,
  onRetry,
  onRemove,
  onConfirm,
}: { job: FileJob } & FileRowsProps) {
  const screenReaderFileName = (
    <span className="sr-only">
      {' '}
      <ExternalText>{job.file.name}</ExternalText>
    </span>
  )
  if (job.state === 'sending' && job.share < 1) {
    return (
      <Button size="small" variant="quiet" onClick={() => onStop(job.id)}>
        Cancel{screenReaderFileName}
      </Button>
    )
  }
  return (
    <span className="flex gap-1 max-sm:col-start-2">
      {job.state !== 'checking' && job.state !== 'refused' && (
        <ViewDocumentButton name={job.file.name} load={async () => job.file} />
      )}
      {job.state === 'confirm' && (
        <Button size="small" onClick={() => onConfirm(job.id)}>
          Attach anyway{screenReaderFileName}
        </Button>
      )}
      {['failed', 'unknown', 'cancelled'].includes(job.state) && (
        <Button size="small" onClick={() => onRetry(job.id)}>
          Try again{screenReaderFileName}
        </Button>
      )}
      {['refused', 'confirm', 'ready', 'failed', 'cancelled'].includes(job.state) && (
        <Button size="small" variant="quiet" onClick={() => onRemove(job.id)}>
          Remove{screenReaderFileName}
        </Button>
      )}
    </span>
  )
}
