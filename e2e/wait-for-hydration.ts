import type { Page } from '@playwright/test'

/**
 * Waits until React has hydrated all controls of the page, because earlier input would be lost.
 * Also waits until a record no longer shows "As of …": its actions are disabled until the service
 * has responded. If the page only redirects, waits for the next page, because the first one never
 * hydrates.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isHydrated = (element: Element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps$'))
    const interactiveElements = [
      ...document.querySelectorAll('body, a[href], button, input, select, textarea'),
    ]
    const isRecordRefreshed =
      /As of /.test(document.querySelector('article header')?.textContent ?? '') === false
    const isPageLoaded =
      document.readyState === 'complete' && document.getElementById('__next-page-redirect') === null
    if (!isPageLoaded || !isRecordRefreshed || !interactiveElements.every(isHydrated)) return false
    // Effects, such as key listeners, run shortly after hydration.
    return new Promise<boolean>((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))),
    )
  })
}
