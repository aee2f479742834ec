import { expect, type Page } from '@playwright/test'
import { toApiRequest } from '@/lib/operations/http'
import type { Output } from '@/lib/operations/registry'

/** Waits until the desk has processed a webhook event about an object (`customers/<uuid>`). Returns the newest one. */
export async function waitForWebhook(page: Page, target: string): Promise<Output<'webhooks.list'>[number]> {
  let found: Output<'webhooks.list'> = []
  const countMatched = async () => {
    const answer = await page.request.get(toApiRequest('webhooks.list', { target, state: 'matched' }, { environment: 'sandbox' }).url)
    found = ((await answer.json()) as { data: typeof found }).data
    return found.length
  }
  await expect.poll(countMatched, { message: `a webhook about ${target}` }).toBeGreaterThan(0)
  const [newest] = found
  if (!newest) throw new Error('there is none')
  return newest
}
