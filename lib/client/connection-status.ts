import type { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { createStore } from './store'

/**
 * The connection problems of a page. They are derived from the responses that the page received.
 */
export type ConnectionStatus = {
  /** The environments whose API key the payments service refused in its latest response. */
  keyRefused: readonly Environment[]
  /** True after the person's session has ended. Typed text stays on the page. */
  signedOut: boolean
  /**
   * The name of another person who signed in after the page was rendered, in another tab. Null if
   * there is none.
   */
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

/**
 * The time (`performance.now()`) of the latest response that shows that another person, or no
 * person, is signed in.
 */
let sessionEndedAt = 0

/**
 * Updates the connection status after a response. `error` is null for a success. `sentAt` is the
 * time of the request (`performance.now()`). Only a success of a request sent after the session
 * ended proves a new session: the response to an earlier request can arrive late.
 */
export function recordResponse(
  environment: Environment | undefined,
  error: AppError | null,
  sentAt = performance.now(),
): void {
  const hasSessionEnded = error?.code === 'unauthenticated' || error?.code === 'other_person'
  if (hasSessionEnded) sessionEndedAt = performance.now()
  const isProofOfSession = error === null && sentAt >= sessionEndedAt
  const currentStatus = connectionStatus.read()
  const isKeyRefused = error?.code === 'service_key_refused'
  const keyRefused = environment
    ? updateRefusedEnvironments(currentStatus.keyRefused, environment, isKeyRefused, error)
    : currentStatus.keyRefused
  const signedOut =
    error?.code === 'unauthenticated' || (currentStatus.signedOut && !isProofOfSession)
  const otherPerson = isProofOfSession ? null : getOtherPersonName(error)
  mergeStatus({ keyRefused, signedOut: signedOut && otherPerson === null, otherPerson })
}

/** Updates the connection status after the router has requested a page. */
export const recordServerReachable = (reached: boolean): void =>
  mergeStatus({ unreachable: !reached })

/**
 * True if the session of the person for whom this page was rendered has ended. The page then sends
 * no automatic requests.
 */
export const isSessionOver = (): boolean =>
  connectionStatus.read().signedOut || connectionStatus.read().otherPerson !== null

const getOtherPersonName = (error: AppError | null): string | null =>
  error?.code === 'other_person'
    ? (error.items[0]?.detail ?? '')
    : connectionStatus.read().otherPerson

function updateRefusedEnvironments(
  refusedEnvironments: readonly Environment[],
  environment: Environment,
  refused: boolean,
  error: AppError | null,
) {
  if (refused)
    return refusedEnvironments.includes(environment)
      ? refusedEnvironments
      : [...refusedEnvironments, environment]
  // Only a success shows that the key works again. Other errors do not show if the service accepts
  // the key.
  return error === null && refusedEnvironments.includes(environment)
    ? refusedEnvironments.filter((each) => each !== environment)
    : refusedEnvironments
}

function mergeStatus(change: Partial<ConnectionStatus>) {
  const current = connectionStatus.read()
  const changedFields = Object.keys(change) as (keyof ConnectionStatus)[]
  if (changedFields.some((name) => change[name] !== current[name]))
    connectionStatus.set({ ...current, ...change })
}
