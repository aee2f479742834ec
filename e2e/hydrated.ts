import type { Page } from '@playwright/test'

/**
 * Waits until the whole page is hydrated: what is pressed before that is lost. The page says so itself, see `components/ui/boundary.tsx`. One that only
 * leads to another never does. A record's actions open on the service's answer: until then it says as of when it is drawn.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.readyState === 'complete' &&
      document.getElementById('__next-page-redirect') === null &&
      document.querySelector('[data-hydrating]') === null &&
      !/As of /.test(document.querySelector('article header')?.textContent ?? ''),
  )
}
