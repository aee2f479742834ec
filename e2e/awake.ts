import type { BrowserContext, Page } from '@playwright/test'

type Fiber = { memoizedState: { dehydrated?: unknown } | null; child: Fiber | null; sibling: Fiber | null }
type Watched = { deskRoot?: { current: Fiber } }

/** React tells its tools of every tree it commits; this one keeps the tree for `awake`. Before the first page of a context. */
export async function watchRoot(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const onCommitFiberRoot = (_id: number, root: { current: Fiber }) => Object.assign(globalThis, { deskRoot: root })
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot,
      onPostCommitFiberRoot: () => {},
      onCommitFiberUnmount: () => {},
    }
    Object.assign(globalThis, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  })
}

/**
 * Waits until the script has taken the whole page over, effects included. React marks an element as its own when it begins to, and may show that
 * up to 300 ms later; a key that is pressed in between is lost.
 */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const root = (globalThis as Watched).deskRoot
    if (!root || document.readyState !== 'complete') return false
    const fibers: Fiber[] = [root.current]
    for (const { child, sibling } of fibers) fibers.push(...[child, sibling].filter((fiber) => fiber !== null))
    const isWhole = fibers.every(({ memoizedState }) => !memoizedState?.dehydrated)
    // What follows a commit is scheduled with it, so it has run when the page is idle.
    await new Promise((resolve) => requestIdleCallback(resolve))
    return isWhole
  })
}
