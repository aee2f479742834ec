import { expect, type Page } from '@playwright/test'
import { toApiRequestParts } from '@/lib/operations/http'
import type { MadePayment, Sandbox } from './sandbox'

/**
 * Creates a paid payout. It is in no queue, so that the pages of other tests do not request it.
 * Their requests would also be in the request log of the payout.
 */
export const makeSettledPayout = (sandbox: Sandbox): Promise<MadePayment> =>
  sandbox.makePayout({ status: 'paid' })

/**
 * Waits until the request log has at least `count` requests that match `filter`. The log is written
 * shortly after each response.
 */
export async function waitUntilRequestsLogged(
  page: Page,
  filter: Record<string, string>,
  count: number,
): Promise<void> {
  const { url } = toApiRequestParts(
    'requests.list',
    { ...filter, page_size: 1 },
    { environment: 'sandbox' },
  )
  const countLoggedRequests = async () => {
    const requestLogResponse = await page.request.get(url)
    return ((await requestLogResponse.json()) as { meta: { total_items: number } }).meta.total_items
  }
  await expect
    .poll(countLoggedRequests, { message: `requests of ${JSON.stringify(filter)}` })
    .toBeGreaterThanOrEqual(count)
}
