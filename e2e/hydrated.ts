import type { Page } from '@playwright/test'

/**
 * Waits until React has hydrated every control of the page: a press before that is lost. A page that only leads to another never is. A record's actions
 * open on the service's answer: until then it says as of when it is drawn.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'))
    const controls = [...document.querySelectorAll('body, a[href], button, input, select, textarea')]
    const isLive = /As of /.test(document.querySelector('article header')?.textContent ?? '') === false
    const isPage = document.readyState === 'complete' && document.getElementById('__next-page-redirect') === null
    if (!isPage || !isLive || !controls.every(isHydrated)) return false
    // Effects, such as those that listen for keys, run right after the elements are hydrated.
    return new Promise<boolean>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))
  })
}
