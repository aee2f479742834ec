import type { Locator, Page } from '@playwright/test'
import { homePath, serviceApiPath } from '@/lib/routes'
import { goTo } from './desk'

export const openHome = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, homePath('sandbox', search))

/** Returns a region of the home page by its heading. A region is one queue or a group of queues. */
export const getHomeRegion = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true })

export const getQueueRows = (page: Page, name: string): Locator =>
  getHomeRegion(page, name).getByRole('listitem')

/** Returns a chart, including its table. */
export const getChartRegion = (page: Page, name: RegExp): Locator =>
  page.getByRole('region', { name }).filter({ has: page.getByRole('heading', { level: 2 }) })

/**
 * Returns an account without open work. The account is rejected, so it never had customers or
 * payments.
 */
export async function findIdleAccountId(page: Page): Promise<string> {
  const accountsResponse = await page.request.get(
    serviceApiPath('sandbox', '/accounts', 'status=rejected'),
  )
  const { data } = (await accountsResponse.json()) as { data: { id: string }[] }
  return `acct_${data[0]?.id}`
}
