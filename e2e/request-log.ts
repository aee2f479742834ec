import { expect, type Page } from '@playwright/test'
import { toApiRequest } from '@/lib/operations/http'
import type { MadePayment, Sandbox } from './sandbox'

/** Makes a payout that no other test reads. A payout on hold is in the queues of other tests, whose requests the log would show too. */
export const makeSettledPayout = (sandbox: Sandbox): Promise<MadePayment> => sandbox.makePayout({ status: 'paid' })

/** Waits until the request log has `count` requests that match a filter. The log is written shortly after each response. */
export async function waitUntilLogged(page: Page, filter: Record<string, string>, count: number): Promise<void> {
  const { url } = toApiRequest('requests.list', { ...filter, page_size: 1 }, { environment: 'sandbox' })
  const countLogged = async () => {
    const response = await page.request.get(url)
    return ((await response.json()) as { meta: { total_items: number } }).meta.total_items
  }
  await expect.poll(countLogged, { message: `requests of ${JSON.stringify(filter)}` }).toBeGreaterThanOrEqual(count)
}
