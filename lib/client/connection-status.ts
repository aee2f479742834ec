import type { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { createStore } from './store'

/** The connection problems of the page, which follow from the responses it received. */
export type ConnectionStatus = {
  /** The environments whose API key the payments service refused in its latest response. */
  keyRefused: readonly Environment[]
  /** True after the person's session has ended. Typed text stays on the page. */
  signedOut: boolean
  /** The name of another person who has since signed in, in another tab. Null if that did not happen. */
  otherPerson: string | null
  /** True while a page that the router requested cannot be loaded. */
  unreachable: boolean
}

export const connectionStatus = createStore<ConnectionStatus>({
  keyRefused: [],
  signedOut: false,
  otherPerson: null,
  unreachable: false,
})

/** The time (`performance.now()`) of the latest response that shows that another person, or no person, is signed in. */
let sessionEndedAt = 0

/**
 * Updates the connection status after a response. `error` is null for a success. A success shows that there is a new session only if its
 * request was sent (`sentAt`, `performance.now()`) after the session ended: the response to an earlier request can arrive late.
 */
export function recordResponse(environment: Environment | undefined, error: AppError | null, sentAt = performance.now()): void {
  const hasSessionEnded = error?.code === 'unauthenticated' || error?.code === 'other_person'
  if (hasSessionEnded) sessionEndedAt = performance.now()
  const isProofOfSession = error === null && sentAt >= sessionEndedAt
  const current = connectionStatus.read()
  const isKeyRefused = error?.code === 'service_key_refused'
  const keyRefused = environment ? updateKeyRefused(current.keyRefused, environment, isKeyRefused, error) : current.keyRefused
  const signedOut = error?.code === 'unauthenticated' || (current.signedOut && !isProofOfSession)
  const otherPerson = isProofOfSession ? null : findOtherPerson(error)
  mergeStatus({ keyRefused, signedOut: signedOut && otherPerson === null, otherPerson })
}

/** Updates the connection status after a page request. */
export const recordReachable = (reached: boolean): void => mergeStatus({ unreachable: !reached })

/** True if the session of the person for whom this page was rendered has ended. The page then sends no automatic requests. */
export const isSessionOver = (): boolean => connectionStatus.read().signedOut || connectionStatus.read().otherPerson !== null

const findOtherPerson = (error: AppError | null): string | null =>
  error?.code === 'other_person' ? (error.items[0]?.detail ?? '') : connectionStatus.read().otherPerson

function updateKeyRefused(list: readonly Environment[], environment: Environment, refused: boolean, error: AppError | null) {
  if (refused) return list.includes(environment) ? list : [...list, environment]
  // Only a success shows that the key works again. Other failures do not show anything about the key.
  return error === null && list.includes(environment) ? list.filter((each) => each !== environment) : list
}

function mergeStatus(change: Partial<ConnectionStatus>) {
  const current = connectionStatus.read()
  const changedFields = Object.keys(change) as (keyof ConnectionStatus)[]
  if (changedFields.some((name) => change[name] !== current[name])) connectionStatus.set({ ...current, ...change })
}
