import type { SessionLeft } from '@/lib/operations/profile'

/** When the session ends (milliseconds since 1970), and whether staying helps: the end after eight hours cannot be moved. */
export type Ending = { at: number; canStay: boolean }

/** How long before the end it is told, and how soon after a failure it is asked again (milliseconds). */
const [toldBefore, afterFailure] = [120_000, 60_000]
/** While it is told: another page or tab may have kept the session meanwhile. */
const lookAgain = 20_000

const endingIn = ({ idle_in, ends_in }: SessionLeft): Ending => ({
  at: Date.now() + Math.min(idle_in, ends_in) * 1000,
  canStay: idle_in < ends_in,
})

/**
 * Tells when the session is about to end, and null when it is not. It asks `read` now, shortly before that may be, and until it is over: what others did meanwhile
 * counts. Gives the way to ask now, and the way to stop.
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
