import type { MirrorState } from '@/lib/operations/answer'
import type { QueueCounts } from '@/lib/pages'
import { deskApiPath, queueCountsPath } from '@/lib/routes'
import type { CallScope } from './page-context'

type Counted = { waiting: QueueCounts; mirror: MirrorState | null; notifications: number }

const nothing: Counted = { waiting: {}, mirror: null, notifications: 0 }
const listeners = new Set<() => void>()
let counted = nothing
let askAgain: (() => unknown) | null = null

/** Shows counts to whoever subscribed; nothing stands for counts that are not known yet. */
function showCounts(next: Counted = nothing): void {
  counted = next
  for (const listener of listeners) listener()
}

/** Counts again, because a write may have taken something out of a queue. */
export const countAgain = (): void => void askAgain?.()

/** For `useSyncExternalStore`: calls back after each count and gives the way to stop. */
export function subscribeCounts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The counts of the scope on the screen, as far as they are known. */
export const readCounts = (): QueueCounts => counted.waiting

/** Why lists may not show the newest; null while they do, and until that is known. */
export const readMirrorState = (): MirrorState | null => counted.mirror

/** How much the reader is told of in this environment. */
export const readNotifications = (): number => counted.notifications

/** On the server nothing is counted: a page does not wait for it. */
export const readCountsOnServer = (): QueueCounts => nothing.waiting

/** How long counts are believed while somebody looks at them (milliseconds); less where people watch them grow. */
const every = 60_000
const often = 2000

let scope = ''

/** What could not be asked keeps the counts as they were: they are a hint of where to look, and every list counts for itself. */
async function ask({ environment, account }: CallScope): Promise<void> {
  const asked = `${environment} ${account}`
  // Not by `call`: every page counts, and the pages of lists need nothing else of what a call is made of.
  const response = await fetch(deskApiPath(environment, queueCountsPath, '', account)).catch(() => null)
  const answer = response?.ok ? ((await response.json().catch(() => null)) as { data?: Counted } | null) : null
  if (answer?.data && asked === scope) showCounts(answer.data)
}

/** Counts what waits for the reader in a scope, now and each minute in which the page is looked at. Gives the way to stop. */
export function countFor(context: CallScope): () => void {
  if (scope !== `${context.environment} ${context.account}`) showCounts()
  scope = `${context.environment} ${context.account}`
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = async () => {
    clearTimeout(timer)
    timer = undefined
    if (document.visibilityState === 'visible') await ask(context)
    if (askAgain === again) timer ??= setTimeout(again, counted.mirror?.importing ? often : every)
  }
  askAgain = again
  void again()
  return () => {
    clearTimeout(timer)
    if (askAgain === again) askAgain = null
  }
}
