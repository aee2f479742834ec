import { useEffect, useState } from 'react'
import { type CallError, toCallError } from '@/lib/client/call-error'
import { createIdempotencyKey } from '@/lib/client/drafts'
import { createStore, useStore } from '@/lib/client/store'
import type { FileProblem } from '@/lib/domain/files/rules'

/**
 * The state of a chosen file.
 * - Before the upload: `checking`, `refused`, `confirm` (the person must confirm a warning) or
 *   `ready`.
 * - During the upload: `waiting` or `sending`.
 * - After the upload: `attached`, `failed`, `unknown` (the outcome is unknown) or `cancelled`. The
 *   last three can be retried.
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

/**
 * `key` is the idempotency key of the upload. It changes only after an error which proves that the
 * file was not attached. Any other retry must be a replay, so that the file is not attached twice.
 */
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

/**
 * Returns the files to start now: the oldest waiting ones, within the limit of parallel uploads.
 */
export function listJobsToStart(jobs: readonly FileJob[], maxParallelUploads: number): FileJob[] {
  const sendingCount = jobs.filter((job) => job.state === 'sending').length
  return jobs
    .filter((job) => job.state === 'waiting')
    .slice(0, Math.max(0, maxParallelUploads - sendingCount))
}

type SendOptions = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

/**
 * The upload limit and the functions that a queue calls for its files. The component replaces them
 * after each render.
 */
type UploadQueueRules = {
  /** Maximum number of parallel uploads. */
  room: number
  check: (
    file: File,
  ) => Promise<{ problem?: FileProblem | undefined; warning?: string | undefined }>
  /** Sends a file and returns a note for its row. Throws `CallError`. */
  send: (file: File, sending: SendOptions) => Promise<string | undefined>
  /**
   * True if the error proves that the file was not attached. A retry then has a new idempotency
   * key.
   */
  isDefinite: (error: CallError) => boolean
  onAttached: () => void
}

export type FileQueue = ReturnType<typeof createFileQueue>

const createJob = (file: File): FileJob => ({
  id: createIdempotencyKey(),
  file,
  key: createIdempotencyKey(),
  state: 'checking',
  share: 0,
})

type JobList = ReturnType<typeof createJobList>

/** If closing the page would lose files, the browser warns. */
function createJobList() {
  const jobStore = createStore<readonly FileJob[]>([])
  const readJobs = jobStore.read
  const warnBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  const setJobs = (next: readonly FileJob[]) => {
    if (next.some(isLostOnLeave)) addEventListener('beforeunload', warnBeforeUnload)
    else removeEventListener('beforeunload', warnBeforeUnload)
    jobStore.set(next)
  }
  const changeJob = (id: string, changes: Partial<FileJob>) =>
    setJobs(readJobs().map((job) => (job.id === id ? { ...job, ...changes } : job)))
  return { store: jobStore, readJobs, setJobs, changeJob }
}

/** Returns functions that start the waiting uploads and stop an upload. */
function createUploader(
  { readJobs, setJobs, changeJob }: JobList,
  getRules: () => UploadQueueRules | undefined,
) {
  const controllersById = new Map<string, AbortController>()

  const sendJob = async (job: FileJob, currentRules: UploadQueueRules) => {
    const stopController = new AbortController()
    controllersById.set(job.id, stopController)
    try {
      const noteOnAttachedFile = await currentRules.send(job.file, {
        key: job.key,
        signal: stopController.signal,
        onProgress: (share) => changeJob(job.id, { share }),
      })
      changeJob(job.id, { state: 'attached', note: noteOnAttachedFile, error: undefined })
      getRules()?.onAttached()
    } catch (cause) {
      const error = toCallError(cause)
      // After a local error (Paydesk did not respond), the key stays the same, because an earlier
      // request with it may still be open.
      const idempotencyKeyForRetry =
        currentRules.isDefinite(error) && !error.local ? createIdempotencyKey() : job.key
      changeJob(job.id, {
        state: toFailedState(error, stopController.signal),
        error,
        key: idempotencyKeyForRetry,
      })
    } finally {
      controllersById.delete(job.id)
      startWaitingJobs()
    }
  }

  const startWaitingJobs = () => {
    const rules = getRules()
    if (!rules) return
    const jobsToStart = listJobsToStart(readJobs(), rules.room)
    if (jobsToStart.length === 0) return
    const startedJobIds = new Set(jobsToStart.map((job) => job.id))
    setJobs(
      readJobs().map((job) =>
        startedJobIds.has(job.id) ? { ...job, state: 'sending', share: 0, error: undefined } : job,
      ),
    )
    for (const job of jobsToStart) void sendJob(job, rules)
  }

  const stopJob = (id: string) => controllersById.get(id)?.abort()

  return { startWaitingJobs, stopJob }
}

/**
 * A file is checked when it is chosen and sent after `sendAll`. Each file has its own key, result,
 * and functions to stop and retry it. The queue exists outside of components, so that chosen files
 * and running uploads survive an unmount.
 */
export function createFileQueue() {
  let rules: UploadQueueRules | undefined
  const jobList = createJobList()
  const { store, readJobs, setJobs, changeJob } = jobList
  const { startWaitingJobs, stopJob } = createUploader(jobList, () => rules)

  const checkJob = async (job: FileJob) => {
    const { problem, warning } =
      (await rules
        ?.check(job.file)
        .catch(() => ({ problem: unreadableProblem, warning: undefined }))) ?? {}
    changeJob(job.id, {
      state: problem ? 'refused' : warning ? 'confirm' : 'ready',
      problem,
      warning,
    })
  }

  return {
    store,
    jobs: readJobs,
    follow: (next: UploadQueueRules) => {
      rules = next
    },
    change: changeJob,
    add: (files: readonly File[]) => {
      const addedJobs = files.map(createJob)
      setJobs([...readJobs(), ...addedJobs])
      for (const job of addedJobs) void checkJob(job)
    },
    sendAll: () => {
      setJobs(readJobs().map((job) => (job.state === 'ready' ? { ...job, state: 'waiting' } : job)))
      startWaitingJobs()
    },
    stop: stopJob,
    retry: (id: string) => {
      changeJob(id, { state: 'waiting' })
      startWaitingJobs()
    },
    remove: (id: string) => setJobs(readJobs().filter((job) => job.id !== id)),
  }
}

const isLostOnLeave = ({ state, share }: FileJob): boolean =>
  unsentStates.includes(state) || state === 'waiting' || (state === 'sending' && share < 1)

const unreadableProblem: FileProblem = {
  id: 'unreadable',
  reason: 'The browser could not read the file.',
  fix: 'Check that the file still exists, and choose it again.',
}

function toFailedState(error: CallError, signal: AbortSignal): FileState {
  if (signal.aborted && error.code === 'not_sent') return 'cancelled'
  return ['outcome_unknown', 'in_progress', 'needs_human', 'service_failed', 'internal'].includes(
    error.code,
  )
    ? 'unknown'
    : 'failed'
}

/**
 * Returns the files of a queue and its functions. The default is a new queue; pass `sharedQueue` to
 * keep the files after an unmount.
 */
export function useFileQueue(rules: UploadQueueRules, sharedQueue?: FileQueue) {
  const [queue] = useState(() => sharedQueue ?? createFileQueue())
  useEffect(() => queue.follow(rules))
  return { ...queue, jobs: useStore(queue.store) }
}
