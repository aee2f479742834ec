import { useEffect, useState } from 'react'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { newIdempotencyKey } from '@/lib/client/drafts'
import { createStore, useStore } from '@/lib/client/store'
import type { FileProblem } from '@/lib/domain/files/rules'

/**
 * The state of a file. Until `ready` it is only chosen; `confirm` requires the person's confirmation. From `waiting` on it is being
 * uploaded. `unknown` means that the outcome is unknown. Only `failed`, `unknown` and `cancelled` can be retried.
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

/** A file in the queue. `key` is its idempotency key, renewed only after a certain refusal, so that a retry is a replay. */
export type FileJob = {
  id: string
  file: File
  key: string
  state: FileState
  /** Share of the bytes that are sent, 0 to 1. At 1 the response is pending. */
  share: number
  problem?: FileProblem
  /** The reason the person must confirm the file before it is sent. */
  warning?: string
  error?: CallError
  /** A note from the response, set if the file was attached. */
  note?: string
}

/** States of files that were chosen and not sent. Leaving the page would lose these files. */
export const unsentStates: readonly FileState[] = ['checking', 'confirm', 'ready']

export const uploadingStates: readonly FileState[] = ['waiting', 'sending']

/** Returns the files to start now: the oldest waiting ones, so that at most `room` files are uploaded at a time. */
export function nextToSend(jobs: readonly FileJob[], room: number): FileJob[] {
  const running = jobs.filter((job) => job.state === 'sending').length
  return jobs.filter((job) => job.state === 'waiting').slice(0, Math.max(0, room - running))
}

type SendOptions = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

/** The functions that a queue calls for its files. They are updated after each render. */
type QueueRules = {
  /** Maximum number of parallel uploads. */
  room: number
  check: (file: File) => Promise<{ problem?: FileProblem | undefined; warning?: string | undefined }>
  /** Sends a file and returns a note for its row. Throws `CallError`. */
  send: (file: File, sending: SendOptions) => Promise<string | undefined>
  /** True if a refusal is certain. The next request then has a new key. */
  isDefinite: (error: CallError) => boolean
  onAttached: () => void
}

export type FileQueue = ReturnType<typeof createFileQueue>

/**
 * Creates a queue of files. A file is checked when it is chosen and sent after `sendAll`. Each file has its own key, result, and functions
 * to stop and retry it. The queue exists outside of components, so that chosen files and running uploads survive an unmount. If closing the
 * page would lose files, the browser warns.
 */
export function createFileQueue() {
  const store = createStore<readonly FileJob[]>([])
  const jobs = store.read
  let rules: QueueRules | undefined
  const stops = new Map<string, AbortController>()

  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const set = (next: readonly FileJob[]) => {
    if (next.some(isLostOnLeave)) addEventListener('beforeunload', warn)
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
      // After a local error, Paydesk did not receive the file, so keep the key. An earlier request under it may still be open.
      const key = by.isDefinite(error) && !error.local ? newIdempotencyKey() : job.key
      change(job.id, { state: toFailedState(error, stop.signal), error, key })
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

/** True if leaving the page would lose the file, because it is not completely sent. */
const isLostOnLeave = ({ state, share }: FileJob): boolean =>
  unsentStates.includes(state) || state === 'waiting' || (state === 'sending' && share < 1)

const unreadable: FileProblem = {
  id: 'unreadable',
  reason: 'The browser could not read the file.',
  fix: 'Check that the file still exists, and choose it again.',
}

function toFailedState(error: CallError, signal: AbortSignal): FileState {
  if (signal.aborted && error.code === 'not_sent') return 'cancelled'
  return ['outcome_unknown', 'in_progress', 'needs_human', 'service_failed', 'internal'].includes(error.code) ? 'unknown' : 'failed'
}

/** Returns the files of a queue and its functions. `sharedQueue` is a queue that survives the component; by default the component has its own. */
export function useFileQueue(rules: QueueRules, sharedQueue?: FileQueue) {
  const [queue] = useState(() => sharedQueue ?? createFileQueue())
  useEffect(() => queue.follow(rules))
  return { ...queue, jobs: useStore(queue.store) }
}
