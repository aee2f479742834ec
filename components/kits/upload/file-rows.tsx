'use client'

import { Button } from '@/components/ui/button'
import { Progress } from '@/components/ui/progress'
import type { Tone } from '@/components/ui/tone'
import { toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import type { CallError } from '@/lib/client/call-error'
import { sizeText } from '@/lib/domain/size-text'
import type { FileJob, FileState } from './file-job'

type FileRowsProps = {
  jobs: readonly FileJob[]
  onStop: (id: string) => void
  onRetry: (id: string) => void
  onRemove: (id: string) => void
  onConfirm: (id: string) => void
}

const looks: Record<FileState, { tone: Tone; word: string }> = {
  checking: { tone: 'moving', word: 'Checking' },
  refused: { tone: 'bad', word: 'Not sent' },
  confirm: { tone: 'held', word: 'Look first' },
  waiting: { tone: 'neutral', word: 'Waiting' },
  sending: { tone: 'moving', word: 'Sending' },
  attached: { tone: 'good', word: 'Attached' },
  failed: { tone: 'bad', word: 'Refused' },
  unknown: { tone: 'unknown', word: 'Outcome unknown' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
}

/** One line for each file with its own state, reason and way on. */
export const FileRows = (props: FileRowsProps) => (
  <ul aria-label="Files" className="grid gap-2" aria-live="polite">
    {props.jobs.map((job) => (
      <li key={job.id} className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-2 text-sm">
        <ToneShape tone={looks[job.state].tone} className={`mt-0.5 size-4 ${toneText[looks[job.state].tone]}`} />
        <div className="grid min-w-0 gap-0.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="min-w-0 break-all font-medium">{job.file.name}</bdi>
            <span className="text-ink-3 text-xs">
              {sizeText(job.file.size)} · {wordOf(job)}
            </span>
          </p>
          {job.state === 'sending' && <Progress value={job.share < 1 ? job.share : null} label={`Sending ${job.file.name}`} />}
          <Reason job={job} />
        </div>
        <RowButtons job={job} {...props} />
      </li>
    ))}
  </ul>
)

function wordOf(job: FileJob): string {
  if (job.state === 'sending') return job.share < 1 ? `sending ${Math.floor(job.share * 100)} %` : 'processing'
  const isFull = job.state === 'failed' && (job.error?.code === 'too_many' || job.error?.code === 'unavailable')
  return isFull ? 'not sent' : looks[job.state].word.toLowerCase()
}

function Reason({ job }: { job: FileJob }) {
  if (job.problem) {
    return (
      <p className="text-ink-2">
        {job.problem.reason} {job.problem.fix}
      </p>
    )
  }
  if (job.state === 'confirm') return <p className="text-ink-2">{job.warning}</p>
  if (job.state === 'unknown')
    return <p className="text-ink-2">It may be attached already. Trying again uses the same key, so it cannot be attached twice.</p>
  if (job.error) {
    return <p className="text-ink-2">{wordsOf(job.error)}</p>
  }
  return job.note ? <p className="text-ink-2">{job.note}</p> : null
}

/** The message of an error, and of its items what the message does not say already. The field is the file in this row. */
function wordsOf({ message, items }: CallError): string {
  const more = items.map((item) => item.detail).filter((detail) => !message.includes(detail))
  return [message.replace(/^File: ./, (start) => start.slice(-1).toUpperCase()), ...more].join(' ')
}

function RowButtons({ job, onStop, onRetry, onRemove, onConfirm }: { job: FileJob } & FileRowsProps) {
  const named = <span className="sr-only"> {job.file.name}</span>
  if (job.state === 'sending' && job.share < 1) {
    return (
      <Button size="small" variant="quiet" onClick={() => onStop(job.id)}>
        Cancel{named}
      </Button>
    )
  }
  return (
    <span className="flex gap-1">
      {job.state === 'confirm' && (
        <Button size="small" onClick={() => onConfirm(job.id)}>
          Attach all the same{named}
        </Button>
      )}
      {['failed', 'unknown', 'cancelled'].includes(job.state) && (
        <Button size="small" onClick={() => onRetry(job.id)}>
          Try again{named}
        </Button>
      )}
      {['refused', 'confirm', 'failed', 'cancelled'].includes(job.state) && (
        <Button size="small" variant="quiet" onClick={() => onRemove(job.id)}>
          Remove{named}
        </Button>
      )}
    </span>
  )
}
