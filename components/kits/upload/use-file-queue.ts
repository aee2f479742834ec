'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { newIdempotencyKey } from '@/lib/client/keys'
import type { FileProblem } from '@/lib/domain/file-rules'
import { type FileJob, type FileState, nextToSend } from './file-job'

type Sending = { key: string; signal: AbortSignal; onProgress: (share: number) => void }

type QueueRules = {
  /** How many travel at once. */
  room: number
  check: (file: File) => Promise<{ problem?: FileProblem; warning?: string }>
  /** Sends one file and gives a note for its row; throws `CallError`. */
  send: (file: File, sending: Sending) => Promise<string | undefined>
  /** Whether a refusal is certain, so that the next try is a new request under a new key. */
  isDefinite: (error: CallError) => boolean
  onAttached: () => void
}

/** A queue of files: each checked first, sent a few at a time, each with its own key, result and way to stop or try again. */
export function useFileQueue(rules: QueueRules) {
  const [jobs, setJobs] = useState<readonly FileJob[]>([])
  const stops = useRef(new Map<string, AbortController>())
  const change = (id: string, part: Partial<FileJob>) => setJobs((old) => old.map((job) => (job.id === id ? { ...job, ...part } : job)))

  const check = async (job: FileJob) => {
    const { problem, warning } = await rules.check(job.file).catch(() => ({ problem: unreadable, warning: undefined }))
    const state: FileState = problem ? 'refused' : warning ? 'confirm' : 'waiting'
    change(job.id, { state, problem, warning })
  }

  const add = (files: readonly File[]) => {
    const added = files.map((file): FileJob => ({ id: newIdempotencyKey(), file, key: newIdempotencyKey(), state: 'checking', share: 0 }))
    setJobs((old) => [...old, ...added])
    for (const job of added) void check(job)
  }

  const send = useEffectEvent(async (job: FileJob) => {
    const stop = new AbortController()
    stops.current.set(job.id, stop)
    try {
      const note = await rules.send(job.file, { key: job.key, signal: stop.signal, onProgress: (share) => change(job.id, { share }) })
      change(job.id, { state: 'attached', note, error: undefined })
      rules.onAttached()
    } catch (cause) {
      const error = asCallError(cause)
      // What ended before Paydesk had the file used no key up; an earlier try under it may still be open.
      const key = rules.isDefinite(error) && !error.local ? newIdempotencyKey() : job.key
      change(job.id, { state: endOf(error, stop.signal), error, key })
    } finally {
      stops.current.delete(job.id)
    }
  })

  useEffect(() => {
    const starting = nextToSend(jobs, rules.room)
    if (starting.length === 0) return
    const ids = new Set(starting.map((job) => job.id))
    setJobs((old) => old.map((job) => (ids.has(job.id) ? { ...job, state: 'sending', share: 0, error: undefined } : job)))
    for (const job of starting) void send(job)
  }, [jobs, rules.room])

  useLeaveWarning(jobs.some((job) => job.state === 'sending' && job.share < 1))

  return {
    jobs,
    add,
    change,
    stop: (id: string) => stops.current.get(id)?.abort(),
    retry: (id: string) => change(id, { state: 'waiting' }),
    remove: (id: string) => setJobs((old) => old.filter((job) => job.id !== id)),
  }
}

const unreadable: FileProblem = {
  id: 'unreadable',
  reason: 'The browser could not read the file.',
  fix: 'Check that it still is where it was, and choose it again.',
}

function endOf(error: CallError, signal: AbortSignal): FileState {
  if (signal.aborted && error.code === 'not_sent') return 'cancelled'
  return ['outcome_unknown', 'in_progress', 'needs_human', 'service_failed', 'internal'].includes(error.code) ? 'unknown' : 'failed'
}

/** Leaving loses only what has not left yet. */
function useLeaveWarning(on: boolean) {
  useEffect(() => {
    if (!on) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [on])
}
