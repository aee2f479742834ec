import type { BrowserContext, Page } from '@playwright/test'

type Fiber = {
  flags: number
  subtreeFlags: number
  memoizedState: { dehydrated?: unknown } | null
  child: Fiber | null
  sibling: Fiber | null
}
type Watched = { committed?: { root: { current: Fiber }; effectsDue: boolean } }

/** React tells its tools of every tree it commits and of every time it has run the effects; this one keeps that for `awake`. */
export async function watchReact(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // React's own: effects, changes of what is shown, removals.
    const leavesEffects = 2048 | 8192 | 16
    const onCommitFiberRoot = (_id: number, root: { current: Fiber }) => {
      const { flags, subtreeFlags } = root.current
      Object.assign(globalThis, { committed: { root, effectsDue: ((flags | subtreeFlags) & leavesEffects) !== 0 } })
    }
    const onPostCommitFiberRoot = (_id: number, root: { current: Fiber }) =>
      Object.assign(globalThis, { committed: { root, effectsDue: false } })
    const hook = { supportsFiber: true, inject: () => 1, onCommitFiberRoot, onPostCommitFiberRoot, onCommitFiberUnmount: () => {} }
    Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  })
}

/**
 * Waits until React has taken the whole page over and has run its effects: they are what listens for keys. It marks elements as its own long
 * before that, and what is pressed in between is lost. A page that only leads to another one is never awake.
 */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { committed } = globalThis as Watched
    if (!committed || committed.effectsDue || document.readyState !== 'complete') return false
    if (document.getElementById('__next-page-redirect')) return false
    const fibers: Fiber[] = [committed.root.current]
    for (const { child, sibling } of fibers) fibers.push(...[child, sibling].filter((fiber) => fiber !== null))
    return fibers.every(({ memoizedState }) => !memoizedState?.dehydrated)
  })
}
