import type { Page } from '@playwright/test'
import { deskApiPath, eventsPath, queueCountsPath, serviceApiPath } from '@/lib/routes'
import { decideThroughApi, openPayment, openPayoutList, waitForPaymentData } from './desk'
import { expect, test } from './fixtures'
import { holdRequests } from './request-faults'

test.use({ events: 'live' })

type ReceivedEvent = { at: number; data: string }

declare global {
  interface Window {
    heard: ReceivedEvent[]
  }
}

test('a change just before a record is opened does not trigger a second read', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const [payout, laterPayout] = [await sandbox.makePayout(), await sandbox.makePayout()]
  const page = await signIn('operator')
  const otherPersonPage = await signIn('admin')
  await page.addInitScript(() => {
    const receivedEvents: ReceivedEvent[] = []
    Object.assign(window, { heard: receivedEvents })
    const OriginalEventSource = window.EventSource
    window.EventSource = class extends OriginalEventSource {
      constructor(url: string | URL) {
        super(url)
        this.addEventListener('message', ({ data }: MessageEvent<string>) =>
          receivedEvents.push({ at: performance.now(), data }),
        )
      }
    }
  })
  const waitForEventAbout = (id: string) =>
    page.waitForFunction((told) => window.heard.some(({ data }) => data.includes(told)), id)
  const requestPaths: string[] = []
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname))
  const countQueueCountRequests = () =>
    requestPaths.filter((path) => path === deskApiPath('sandbox', queueCountsPath)).length
  const countPayoutReads = () =>
    requestPaths.filter((path) => path === serviceApiPath('sandbox', `/payouts/${payout.id}`, ''))
      .length
  // Another person's page connects first, as is usual. From then on, the server keeps recent events
  // and also sends them to pages that connect later.
  const eventsResponse = otherPersonPage.waitForResponse(
    (response) => new URL(response.url()).pathname === deskApiPath('sandbox', eventsPath),
  )
  await openPayoutList(otherPersonPage)
  await eventsResponse
  expect((await decideThroughApi(otherPersonPage, deskUrl, payout, 'release')).status()).toBe(200)
  await openPayment(page, payout)
  await waitForEventAbout(payout.id)
  await waitForPaymentData(page)
  await expect.poll(countQueueCountRequests).toBeGreaterThan(0)
  const requestCountBefore = countQueueCountRequests()
  expect((await decideThroughApi(otherPersonPage, deskUrl, laterPayout, 'release')).status()).toBe(
    200,
  )
  await waitForEventAbout(laterPayout.id)
  // The page handles events in order, and requests the queue counts after each one. A further
  // request for the counts therefore proves that the page has also handled the earlier event about
  // `payout`.
  await expect.poll(countQueueCountRequests).toBeGreaterThan(requestCountBefore)
  expect(countPayoutReads()).toBeLessThanOrEqual(1 + (await countChangesSinceRead(page, payout.id)))
})

/**
 * Returns the number of received events whose change happened after the page had begun its first
 * read of a record. Each of them permits one more read. `ago` is the age of a change in
 * milliseconds when the server sent its event.
 */
const countChangesSinceRead = (page: Page, id: string): Promise<number> =>
  page.evaluate((told) => {
    const [readTiming] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes(`/v1/payouts/${told}`))
    if (!readTiming) throw new Error('the record was not read')
    const changeTimes = window.heard.flatMap(({ at, data }) =>
      (JSON.parse(data) as { ids: string[] | null; ago: number }[])
        .filter(({ ids }) => ids?.includes(told) ?? true)
        .map(({ ago }) => at - ago),
    )
    return changeTimes.filter((at) => at >= readTiming.startTime).length
  }, id)

const navigationCases: [
  string,
  string,
  (page: Page, payout: { customer: string }) => Promise<void>,
][] = [
  [
    'a link',
    '*/customers/*_rsc=*',
    (page, { customer }) =>
      page.getByRole('article').getByRole('link', { name: customer }).first().click(),
  ],
  [
    'a go-to key',
    '*/customers?*_rsc=*',
    async (page) => {
      await page.keyboard.press('g')
      await page.keyboard.press('u')
    },
  ],
]

for (const [navigationName, urlPattern, navigate] of navigationCases) {
  test(`${navigationName} from an open row is followed even if the list changes during the navigation`, {
    tag: '@full',
  }, async ({ signIn, sandbox, deskUrl }) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    const decidingPersonPage = await signIn('admin')
    await openPayoutList(page, { account: payout.account, search_text: payout.externalId })
    await page.getByRole('row').getByRole('link', { name: payout.customer }).click()
    await waitForPaymentData(page)
    const continueHeldRequests = await holdRequests(page, urlPattern)
    const customersRequestPromise = page.waitForRequest((request) =>
      new URL(request.url()).pathname.includes('/customers'),
    )
    await navigate(page, payout)
    await customersRequestPromise
    const queueCountsRequestPromise = page.waitForRequest(
      (request) => new URL(request.url()).pathname === deskApiPath('sandbox', queueCountsPath),
    )
    expect((await decideThroughApi(decidingPersonPage, deskUrl, payout, 'release')).status()).toBe(
      200,
    )
    await queueCountsRequestPromise
    await continueHeldRequests()
    await expect(
      page.getByRole('heading', {
        level: 1,
        name: navigationName === 'a link' ? payout.customer : 'Customers',
      }),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/customers/)
  })
}
