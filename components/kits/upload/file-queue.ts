import { useEffect, useState } from 'react'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { newIdempotencyKey } from '@/lib/client/drafts'
import { createStore, useStore } from '@/lib/client/store'
import type { FileProblem } from '@/lib/domain/files/rules'

/**
 * The state of a file. Up to `ready` it is only chosen; `confirm` waits for the person. From `waiting` on it is being sent; `unknown` waits
 * for the service. Only `failed`, `unknown` and `cancelled` can be retried.
 */
export type FileState =
  | 'checking'
  | 'refused'
  | 'confirm'
  | 'ready'
  | 'waiting'
  | 'sending'
  | 'attached'
  | 'failed'
  | 'unknown'
  | 'cancelled'

/** One file in the queue. It has its own key, which stays until a refusal is certain, so that a retry is a replay. */
export type FileJob = {
  id: string
  file: File
  key: string
  state: FileState
  /** Share of the bytes sent, 0 to 1; at 1 the response is pending. */
  share: number
  problem?: FileProblem
  /** The reason a person should check the file before sending. */
  warning?: string
  error?: CallError
  /** Note from the response, once attached. */
  note?: string
}

/** Chosen and not sent: leaving the page would lose these files. */
export const chosen: readonly FileState[] = ['checking', 'confirm', 'ready']

export const underWay: readonly FileState[] = ['waiting', 'sending']

/** Returns the files to start now: the oldest waiting ones, up to the free capacity. */
export function nextToSend(jobs: readonly FileJob[], room: number): FileJob[] {
  const running = jobs.filter((job) => job.state === 'sending').length
  return jobs.filter((job) => job.state === 'waiting').slice(0, Math.max(0, room - running))
}

type Sending = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

/** The functions a queue calls for its files; passed again after each render. */
type QueueRules = {
  /** Maximum number of parallel uploads. */
  room: number
  check: (file: File) => Promise<{ problem?: FileProblem | undefined; warning?: string | undefined }>
  /** Sends one file and returns a note for its row; throws `CallError`. */
  send: (file: File, sending: Sending) => Promise<string | undefined>
  /** True if a refusal is certain, so the next try is a new request under a new key. */
  isDefinite: (error: CallError) => boolean
  onAttached: () => void
}

export type FileQueue = ReturnType<typeof createFileQueue>

/**
 * Creates a queue of files. Each file is checked when it is chosen and sent after `sendAll`, a few at a time, with its own key, result,
 * stop and retry. The queue lives outside components, so an unmount loses neither chosen files nor running uploads. It warns before the
 * page closes if files would be lost.
 */
export function createFileQueue() {
  const store = createStore<readonly FileJob[]>([])
  const jobs = store.read
  let rules: QueueRules | undefined
  const stops = new Map<string, AbortController>()

  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const set = (next: readonly FileJob[]) => {
    if (next.some(isLost)) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
    store.set(next)
  }
  const change = (id: string, part: Partial<FileJob>) => set(jobs().map((job) => (job.id === id ? { ...job, ...part } : job)))

  const check = async (job: FileJob) => {
    const { problem, warning } = (await rules?.check(job.file).catch(() => ({ problem: unreadable, warning: undefined }))) ?? {}
    change(job.id, { state: problem ? 'refused' : warning ? 'confirm' : 'ready', problem, warning })
  }

  const send = async (job: FileJob, by: QueueRules) => {
    const stop = new AbortController()
    stops.set(job.id, stop)
    try {
      const note = await by.send(job.file, { key: job.key, signal: stop.signal, onProgress: (share) => change(job.id, { share }) })
      change(job.id, { state: 'attached', note, error: undefined })
      rules?.onAttached()
    } catch (cause) {
      const error = asCallError(cause)
      // An error before Paydesk had the file did not use up the key. An earlier try under the key may still be open.
      const key = by.isDefinite(error) && !error.local ? newIdempotencyKey() : job.key
      change(job.id, { state: endOf(error, stop.signal), error, key })
    } finally {
      stops.delete(job.id)
      start()
    }
  }

  const start = () => {
    if (!rules) return
    const starting = nextToSend(jobs(), rules.room)
    if (starting.length === 0) return
    const ids = new Set(starting.map((job) => job.id))
    set(jobs().map((job) => (ids.has(job.id) ? { ...job, state: 'sending', share: 0, error: undefined } : job)))
    for (const job of starting) void send(job, rules)
  }

  return {
    store,
    jobs,
    follow: (next: QueueRules) => {
      rules = next
    },
    change,
    add: (files: readonly File[]) => {
      const added = files.map((file): FileJob => ({ id: newIdempotencyKey(), file, key: newIdempotencyKey(), state: 'checking', share: 0 }))
      set([...jobs(), ...added])
      for (const job of added) void check(job)
    },
    sendAll: () => {
      set(jobs().map((job) => (job.state === 'ready' ? { ...job, state: 'waiting' } : job)))
      start()
    },
    stop: (id: string) => stops.get(id)?.abort(),
    retry: (id: string) => {
      change(id, { state: 'waiting' })
      start()
    },
    remove: (id: string) => set(jobs().filter((job) => job.id !== id)),
  }
}

/** True if leaving the page would lose the file: it is chosen, or not completely sent. */
const isLost = ({ state, share }: FileJob): boolean => chosen.includes(state) || state === 'waiting' || (state === 'sending' && share < 1)

const unreadable: FileProblem = {
  id: 'unreadable',
  reason: 'The browser could not read the file.',
  fix: 'Check that the file still exists, and choose it again.',
}

function endOf(error: CallError, signal: AbortSignal): FileState {
  if (signal.aborted && error.code === 'not_sent') return 'cancelled'
  return ['outcome_unknown', 'in_progress', 'needs_human', 'service_failed', 'internal'].includes(error.code) ? 'unknown' : 'failed'
}

/** Returns the files of a queue and its functions. A queue passed as `kept` outlasts the component. */
export function useFileQueue(rules: QueueRules, kept?: FileQueue) {
  const [queue] = useState(() => kept ?? createFileQueue())
  useEffect(() => queue.follow(rules))
  return { ...queue, jobs: useStore(queue.store) }
}
