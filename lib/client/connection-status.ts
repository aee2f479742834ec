import type { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'

/** What the whole screen has to say, gathered from the answers that came by. */
export type ConnectionStatus = {
  /** Environments whose key the payments service refused in the latest answer. */
  keyRefused: readonly Environment[]
  /** Our own session ended; what is typed stays where it is. */
  signedOut: boolean
  /** The name of the person who signed in since in another tab; null if it is still the person this page was rendered for. */
  otherPerson: string | null
  /** A page that was asked for does not come, though the browser has a connection. */
  unreachable: boolean
}

const none: ConnectionStatus = { keyRefused: [], signedOut: false, otherPerson: null, unreachable: false }
const listeners = new Set<() => void>()
let current = none

/** Keeps the connection status up to date with one answer: an error, or null for a good one. */
export function noteAnswer(environment: Environment | undefined, error: AppError | null): void {
  const refused = error?.code === 'service_key_refused'
  const keyRefused = environment ? withEnvironment(current.keyRefused, environment, refused, error) : current.keyRefused
  const signedOut = error?.code === 'unauthenticated' || (error !== null && current.signedOut)
  const otherPerson = error?.code === 'other_person' ? (error.items[0]?.detail ?? '') : error === null ? null : current.otherPerson
  set({ ...current, keyRefused, signedOut: signedOut && otherPerson === null, otherPerson })
}

/** Keeps it up to date with whether a page came. */
export const noteReached = (reached: boolean): void => set({ ...current, unreachable: !reached })

/** For `useSyncExternalStore`: calls back after each change and gives the way to stop. */
export function subscribeConnectionStatus(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The connection status now; the same object until it changes. */
export const readConnectionStatus = (): ConnectionStatus => current

/** Returns whether the session of the person this page was rendered for is over. The page then sends no request on its own. */
export const isSessionOver = (): boolean => current.signedOut || current.otherPerson !== null

/** What the server renders: it has seen no answers. */
export const readConnectionStatusOnServer = (): ConnectionStatus => none

function withEnvironment(list: readonly Environment[], environment: Environment, refused: boolean, error: AppError | null) {
  if (refused) return list.includes(environment) ? list : [...list, environment]
  // Only a good answer proves that the key works again; any other failure leaves the question open.
  return error === null && list.includes(environment) ? list.filter((each) => each !== environment) : list
}

function set(next: ConnectionStatus) {
  const names = Object.keys(next) as (keyof ConnectionStatus)[]
  if (names.every((name) => next[name] === current[name])) return
  current = next
  for (const listener of listeners) listener()
}
