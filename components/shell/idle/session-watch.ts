import type { SessionLeft } from '@/lib/operations/profile'

/** Time when the session ends (epoch milliseconds). `canStay` is false for the absolute limit of eight hours, which cannot be extended. */
export type Ending = { at: number; canStay: boolean }

/** Milliseconds before the end when the warning starts, and milliseconds until a retry after a failure. */
const [toldBefore, afterFailure] = [120_000, 60_000]
/** Milliseconds between polls during the warning, because another tab may extend the session. */
const lookAgain = 20_000

const endingIn = ({ idle_in, ends_in }: SessionLeft): Ending => ({
  at: Date.now() + Math.min(idle_in, ends_in) * 1000,
  canStay: idle_in < ends_in,
})

/**
 * Calls `tell` with the end of the session when it is near, else with null. Calls `read` at once, again shortly before the end, and then
 * until the session is over: another tab may extend it. Returns `look` to read at once, and `stop`.
 */
export function watchSession(
  read: () => Promise<SessionLeft>,
  tell: (ending: Ending | null) => void,
): { look: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout>
  let isGone = false
  const plan = (milliseconds: number) => {
    clearTimeout(timer)
    if (!isGone) timer = setTimeout(look, milliseconds)
  }
  const show = (left: SessionLeft) => {
    if (isGone) return
    const ending = endingIn(left)
    const length = ending.at - Date.now()
    const isNear = length <= toldBefore
    tell(isNear ? ending : null)
    plan(isNear ? Math.min(lookAgain, Math.max(length, 0) + 1000) : length - toldBefore)
  }
  const look = () => void read().then(show, () => plan(afterFailure))
  look()
  return {
    look,
    stop: () => {
      isGone = true
      clearTimeout(timer)
    },
  }
}
