import type { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'

/** What the whole screen has to say, gathered from the answers that came by. */
export type ConnectionStatus = {
  /** Environments whose key the payments service refused in the latest answer. */
  keyRefused: readonly Environment[]
  /** Our own session ended; what is typed stays where it is. */
  signedOut: boolean
  /** A page that was asked for does not come, though the browser has a connection. */
  unreachable: boolean
}

const none: ConnectionStatus = { keyRefused: [], signedOut: false, unreachable: false }
const listeners = new Set<() => void>()
let current = none

/** Keeps the connection status up to date with one answer: an error, or null for a good one. */
export function noteAnswer(environment: Environment | undefined, error: AppError | null): void {
  const refused = error?.code === 'service_key_refused'
  const keyRefused = environment ? withEnvironment(current.keyRefused, environment, refused, error) : current.keyRefused
  set({ ...current, keyRefused, signedOut: error === null ? false : error.code === 'unauthenticated' || current.signedOut })
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

/** What the server renders: it has seen no answers. */
export const readConnectionStatusOnServer = (): ConnectionStatus => none

function withEnvironment(list: readonly Environment[], environment: Environment, refused: boolean, error: AppError | null) {
  if (refused) return list.includes(environment) ? list : [...list, environment]
  // Only a good answer proves that the key works again; any other failure leaves the question open.
  return error === null && list.includes(environment) ? list.filter((each) => each !== environment) : list
}

function set(next: ConnectionStatus) {
  const { keyRefused, signedOut, unreachable } = current
  if (next.keyRefused === keyRefused && next.signedOut === signedOut && next.unreachable === unreachable) return
  current = next
  for (const listener of listeners) listener()
}
