import type { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'

/** Connection problems of the page, collected from the responses it received. */
export type ConnectionStatus = {
  /** Environments whose key the payments service refused in its latest response. */
  keyRefused: readonly Environment[]
  /** True after our own session ended. Typed text stays on the page. */
  signedOut: boolean
  /** Name of the person who has since signed in, in another tab; null if it is still the person this page was rendered for. */
  otherPerson: string | null
  /** True while a requested page does not arrive. */
  unreachable: boolean
}

const none: ConnectionStatus = { keyRefused: [], signedOut: false, otherPerson: null, unreachable: false }
const listeners = new Set<() => void>()
let current = none
/** Time (`performance.now()`) of the latest response that another person or no person is signed in. */
let overAt = 0

/**
 * Updates the connection status after one response. `error` is null for a success. Only a success of a request that was sent after the end
 * of the session (`sentAt`, `performance.now()`) proves a new one: an earlier request can be answered late.
 */
export function noteAnswer(environment: Environment | undefined, error: AppError | null, sentAt = performance.now()): void {
  const isOver = error?.code === 'unauthenticated' || error?.code === 'other_person'
  if (isOver) overAt = performance.now()
  const isProof = error === null && sentAt >= overAt
  const refused = error?.code === 'service_key_refused'
  const keyRefused = environment ? withEnvironment(current.keyRefused, environment, refused, error) : current.keyRefused
  const signedOut = error?.code === 'unauthenticated' || (current.signedOut && !isProof)
  const otherPerson = isProof ? null : otherPersonAfter(error)
  set({ ...current, keyRefused, signedOut: signedOut && otherPerson === null, otherPerson })
}

/** Updates the connection status after a page request. */
export const noteReached = (reached: boolean): void => set({ ...current, unreachable: !reached })

/** For `useSyncExternalStore`: calls the listener after each change. Returns the unsubscribe function. */
export function subscribeConnectionStatus(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the current connection status; the same object until it changes. */
export const readConnectionStatus = (): ConnectionStatus => current

/** True if the session of the person this page was rendered for has ended. The page then sends no automatic requests. */
export const isSessionOver = (): boolean => current.signedOut || current.otherPerson !== null

/** Returns the status for server rendering, which has received no responses. */
export const readConnectionStatusOnServer = (): ConnectionStatus => none

const otherPersonAfter = (error: AppError | null): string | null =>
  error?.code === 'other_person' ? (error.items[0]?.detail ?? '') : current.otherPerson

function withEnvironment(list: readonly Environment[], environment: Environment, refused: boolean, error: AppError | null) {
  if (refused) return list.includes(environment) ? list : [...list, environment]
  // Only a success proves that the key works again. Any other failure proves nothing.
  return error === null && list.includes(environment) ? list.filter((each) => each !== environment) : list
}

function set(next: ConnectionStatus) {
  const names = Object.keys(next) as (keyof ConnectionStatus)[]
  if (names.every((name) => next[name] === current[name])) return
  current = next
  for (const listener of listeners) listener()
}
