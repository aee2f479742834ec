import { useQuery } from '@tanstack/react-query'
import { operationQuery } from '@/lib/client/query/reads'
import type { Environment } from '@/lib/operations/define'
import type { SessionTimeLeft } from '@/lib/operations/profile'

/**
 * `at`: the time when the session ends, in epoch milliseconds. `canStay`: false if the session ends
 * because it reaches its maximum of eight hours, which cannot be extended.
 */
export type SessionEndWarning = { at: number; canStay: boolean }

/**
 * `warnBefore`: milliseconds before the end of the session at which the warning appears.
 * `retryAfter`: milliseconds after which a failed read of the session is repeated.
 */
const [warnBefore, retryAfter] = [120_000, 60_000]
/** Milliseconds between reads during the warning: another tab may extend the session. */
const readIntervalMs = 20_000

export const buildSessionQuery = (environment: Environment) =>
  operationQuery({ environment, account: null }, 'profile.session', {})

const getMillisecondsLeft = ({ idle_in, ends_in }: SessionTimeLeft) =>
  Math.min(idle_in, ends_in) * 1000

/**
 * Returns the milliseconds until the next read of the session. Before the warning, that is the time
 * until the warning starts. During the warning, it is at most `readIntervalMs`.
 */
function getNextReadDelay(session: SessionTimeLeft): number {
  const milliseconds = getMillisecondsLeft(session)
  return milliseconds > warnBefore
    ? milliseconds - warnBefore
    : Math.min(readIntervalMs, Math.max(milliseconds, 0) + 1000)
}

/**
 * Returns the end of the session as `ending`, or null while the end is more than two minutes away.
 * `refetch` reads the session at once.
 */
export function useSessionEnd(environment: Environment): {
  ending: SessionEndWarning | null
  refetch: () => Promise<unknown>
} {
  const { data, dataUpdatedAt, refetch } = useQuery({
    ...buildSessionQuery(environment),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data && !state.error ? getNextReadDelay(state.data.data) : retryAfter,
    refetchIntervalInBackground: true,
  })
  const sessionTimeLeft = data?.data
  const isEndNear =
    sessionTimeLeft !== undefined && getMillisecondsLeft(sessionTimeLeft) <= warnBefore
  const sessionEnding = isEndNear
    ? {
        at: dataUpdatedAt + getMillisecondsLeft(sessionTimeLeft),
        canStay: sessionTimeLeft.idle_in < sessionTimeLeft.ends_in,
      }
    : null
  return { ending: sessionEnding, refetch }
}
