import { expect, type Page } from '@playwright/test'
import { toApiRequest } from '@/lib/operations/http'
import type { Output } from '@/lib/operations/registry'

/** Waits until the desk has processed a webhook event about an object (`customers/<uuid>`). Returns the newest one. */
export async function waitForWebhook(page: Page, target: string): Promise<Output<'webhooks.list'>[number]> {
  let foundWebhooks: Output<'webhooks.list'> = []
  const fetchMatchedCount = async () => {
    const answer = await page.request.get(toApiRequest('webhooks.list', { target, state: 'matched' }, { environment: 'sandbox' }).url)
    foundWebhooks = ((await answer.json()) as { data: typeof foundWebhooks }).data
    return foundWebhooks.length
  }
  await expect.poll(fetchMatchedCount, { message: `a webhook about ${target}` }).toBeGreaterThan(0)
  const [newest] = foundWebhooks
  if (!newest) throw new Error('there is none')
  return newest
}
