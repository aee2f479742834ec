import { expect, type Page } from '@playwright/test'
import { toApiRequestParts } from '@/lib/operations/http'
import type { Output } from '@/lib/operations/registry'

/**
 * Waits until Paydesk has processed a webhook event about the object `target` (`customers/<uuid>`).
 * Returns the newest such event.
 */
export async function waitForWebhook(
  page: Page,
  target: string,
): Promise<Output<'webhooks.list'>[number]> {
  let foundWebhooks: Output<'webhooks.list'> = []
  const fetchMatchedCount = async () => {
    const webhooksResponse = await page.request.get(
      toApiRequestParts('webhooks.list', { target, state: 'matched' }, { environment: 'sandbox' })
        .url,
    )
    foundWebhooks = ((await webhooksResponse.json()) as { data: typeof foundWebhooks }).data
    return foundWebhooks.length
  }
  await expect.poll(fetchMatchedCount, { message: `a webhook about ${target}` }).toBeGreaterThan(0)
  const [newestWebhook] = foundWebhooks
  if (!newestWebhook) throw new Error('there is none')
  return newestWebhook
}
