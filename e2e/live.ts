import { expect, type Page, type Request, type Response } from '@playwright/test'
import { deskApiPath, eventsPath } from '@/lib/routes'

/** True for the request with which a page receives live changes. */
export const isEventsRequest = (request: Request): boolean =>
  new URL(request.url()).pathname === deskApiPath('sandbox', eventsPath)

/** Waits for the response to the page's request for live changes. */
export const waitForEventsResponse = (page: Page): Promise<Response> =>
  page.waitForResponse((response) => isEventsRequest(response.request()))

/**
 * Opens a page and waits until it receives live changes. Sets `window.opened`, which a reload would
 * remove, to detect reloads.
 */
export async function openLivePage(page: Page, openPage: () => Promise<void>): Promise<void> {
  const eventsResponsePromise = waitForEventsResponse(page)
  await openPage()
  expect((await eventsResponsePromise).status()).toBe(200)
  await page.evaluate(() => Object.assign(window, { opened: true }))
}

/** False if the page was reloaded since `openLivePage`. */
export const isSamePage = (page: Page): Promise<boolean> => page.evaluate(() => 'opened' in window)

/**
 * Overrides `navigator.userActivation`, so that only a click makes it active. Code that Playwright
 * evaluates in the page would also make it active. The page would then never mark a read as
 * `unattended`, which means that it does not extend the session.
 */
export const disableUserActivation = (page: Page) =>
  page.addInitScript(() => {
    const userActivation = { isActive: false }
    Object.defineProperty(navigator, 'userActivation', { value: userActivation })
    addEventListener('click', () => Object.assign(userActivation, { isActive: true }), true)
  })
