import type { CallError } from '@/lib/client/call-error'
import type { FileProblem } from '@/lib/domain/file-rules'

/** Where one file stands. `confirm` waits for a person, `unknown` for the service; only `failed` and `unknown` may be tried again. */
export type FileState = 'checking' | 'refused' | 'confirm' | 'waiting' | 'sending' | 'attached' | 'failed' | 'unknown' | 'cancelled'

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

export const unfinished: readonly FileState[] = ['checking', 'confirm', 'waiting', 'sending', 'unknown']

/** Which files may start now: the oldest waiting ones, as far as there is room. */
export function nextToSend(jobs: readonly FileJob[], room: number): FileJob[] {
  const running = jobs.filter((job) => job.state === 'sending').length
  return jobs.filter((job) => job.state === 'waiting').slice(0, Math.max(0, room - running))
}
