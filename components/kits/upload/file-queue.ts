import { useEffect, useState, useSyncExternalStore } from 'react'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { newIdempotencyKey } from '@/lib/client/drafts'
import type { FileProblem } from '@/lib/domain/files/rules'

/**
 * The state of one file. Up to `ready` it is only chosen, and `confirm` waits for a second look; from `waiting` on it is being sent, and `unknown`
 * waits for the service. Only `failed`, `unknown` and `cancelled` may be tried again.
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

/** One file on its way. The key is its own and stays until a refusal is certain, so that a second try is a replay. */
export type FileJob = {
  id: string
  file: File
  key: string
  state: FileState
  /** Share of the bytes that left, 0 to 1; at 1 the answer is awaited. */
  share: number
  problem?: FileProblem
  /** Why a person should look before it is sent. */
  warning?: string
  error?: CallError
  /** What the answer says of it, once attached. */
  note?: string
}

/** Chosen and not sent: what leaving the page would lose. */
export const chosen: readonly FileState[] = ['checking', 'confirm', 'ready']

/** On its way: the result is still to come. */
export const underWay: readonly FileState[] = ['waiting', 'sending']

/** Which files may start now: the oldest waiting ones, as far as there is room. */
export function nextToSend(jobs: readonly FileJob[], room: number): FileJob[] {
  const running = jobs.filter((job) => job.state === 'sending').length
  return jobs.filter((job) => job.state === 'waiting').slice(0, Math.max(0, room - running))
}

type Sending = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

/** What a queue does with its files; told again whenever what it rests on changes. */
type QueueRules = {
  /** How many travel at once. */
  room: number
  check: (file: File) => Promise<{ problem?: FileProblem | undefined; warning?: string | undefined }>
  /** Sends one file and gives a note for its row; throws `CallError`. */
  send: (file: File, sending: Sending) => Promise<string | undefined>
  /** Whether a refusal is certain, so that the next try is a new request under a new key. */
  isDefinite: (error: CallError) => boolean
  onAttached: () => void
}

/** A queue of files; see `createFileQueue`. */
export type FileQueue = ReturnType<typeof createFileQueue>

/**
 * A queue of files: each is checked when it is chosen and sent when `sendAll` says so, a few at a time, each with its own key, result and way to
 * stop or try again. It belongs to no component, so that one that goes away takes neither what was chosen nor what is on its way with it. Leaving
 * the page warns while it would.
 */
export function createFileQueue() {
  let jobs: readonly FileJob[] = []
  let rules: QueueRules | undefined
  const listeners = new Set<() => void>()
  const stops = new Map<string, AbortController>()

  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const set = (next: readonly FileJob[]) => {
    jobs = next
    if (jobs.some(isLost)) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
    for (const listener of listeners) listener()
  }
  const change = (id: string, part: Partial<FileJob>) => set(jobs.map((job) => (job.id === id ? { ...job, ...part } : job)))

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
      // What ended before Paydesk had the file used no key up; an earlier try under it may still be open.
      const key = by.isDefinite(error) && !error.local ? newIdempotencyKey() : job.key
      change(job.id, { state: endOf(error, stop.signal), error, key })
    } finally {
      stops.delete(job.id)
      start()
    }
  }

  const start = () => {
    if (!rules) return
    const starting = nextToSend(jobs, rules.room)
    if (starting.length === 0) return
    const ids = new Set(starting.map((job) => job.id))
    set(jobs.map((job) => (ids.has(job.id) ? { ...job, state: 'sending', share: 0, error: undefined } : job)))
    for (const job of starting) void send(job, rules)
  }

  return {
    jobs: () => jobs,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow: (next: QueueRules) => {
      rules = next
    },
    change,
    add: (files: readonly File[]) => {
      const added = files.map((file): FileJob => ({ id: newIdempotencyKey(), file, key: newIdempotencyKey(), state: 'checking', share: 0 }))
      set([...jobs, ...added])
      for (const job of added) void check(job)
    },
    sendAll: () => {
      set(jobs.map((job) => (job.state === 'ready' ? { ...job, state: 'waiting' } : job)))
      start()
    },
    stop: (id: string) => stops.get(id)?.abort(),
    retry: (id: string) => {
      change(id, { state: 'waiting' })
      start()
    },
    remove: (id: string) => set(jobs.filter((job) => job.id !== id)),
  }
}

/** What leaving the page would lose: what was chosen, and what has not left yet. */
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

/** The files of a queue as they are, and what can be done with them. A queue that is `kept` elsewhere outlasts the component. */
export function useFileQueue(rules: QueueRules, kept?: FileQueue) {
  const [queue] = useState(() => kept ?? createFileQueue())
  useEffect(() => queue.follow(rules))
  const jobs = useSyncExternalStore(queue.subscribe, queue.jobs, queue.jobs)
  return { ...queue, jobs }
}
