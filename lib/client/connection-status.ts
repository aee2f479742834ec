import type { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { createStore } from './store'

export type ConnectionStatus = {
  /** The environments whose API key the payments service refused in its latest response. */
  keyRefused: readonly Environment[]
  signedOut: boolean
  /** The name of another person who signed in, in another tab, after the page was rendered. */
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

/** `performance.now()` of the latest response that shows another person's session or none. */
let sessionEndedAt = 0

/**
 * `error` is null for a success. `sentAt` is from `performance.now()`: only a success of a request
 * sent after the session ended proves a new session, because earlier responses can arrive late.
 */
export function recordResponse(
  environment: Environment | undefined,
  error: AppError | null,
  sentAt = performance.now(),
): void {
  const hasSessionEnded = error?.code === 'unauthenticated' || error?.code === 'other_person'
  if (hasSessionEnded) sessionEndedAt = performance.now()
  const isSessionProven = error === null && sentAt >= sessionEndedAt
  const currentStatus = connectionStatus.read()
  const isServiceKeyRefused = error?.code === 'service_key_refused'
  const keyRefusedEnvironments = environment
    ? updateRefusedEnvironments(currentStatus.keyRefused, environment, isServiceKeyRefused, error)
    : currentStatus.keyRefused
  const isSignedOut =
    error?.code === 'unauthenticated' || (currentStatus.signedOut && !isSessionProven)
  const otherPersonName = isSessionProven ? null : getOtherPersonName(error)
  mergeStatus({
    keyRefused: keyRefusedEnvironments,
    signedOut: isSignedOut && otherPersonName === null,
    otherPerson: otherPersonName,
  })
}

export const recordServerReachability = (reached: boolean): void =>
  mergeStatus({ unreachable: !reached })

/** If true, the page sends no automatic requests. */
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
  // Only a success shows that the key works again; other errors do not show if it is accepted.
  return error === null && refusedEnvironments.includes(environment)
    ? refusedEnvironments.filter((each) => each !== environment)
    : refusedEnvironments
}

function mergeStatus(change: Partial<ConnectionStatus>) {
  const statusBeforeChange = connectionStatus.read()
  const changedFields = Object.keys(change) as (keyof ConnectionStatus)[]
  if (changedFields.some((name) => change[name] !== statusBeforeChange[name]))
    connectionStatus.set({ ...statusBeforeChange, ...change })
}
