import type { Page } from '@playwright/test'
import { deskApiPath, eventsPath, queueCountsPath, serviceApiPath } from '@/lib/routes'
import { decideThroughApi, openList, openPayment, waitForPaymentData } from './desk'
import { expect, test } from './fixtures'
import { holdRequests } from './request-faults'

test.use({ events: 'live' })

type ReceivedEvent = { at: number; data: string }

declare global {
  interface Window {
    heard: ReceivedEvent[]
  }
}

test('a change just before a record is opened does not trigger a second read', { tag: '@full' }, async ({ signIn, sandbox, deskUrl }) => {
  const [payout, later] = [await sandbox.makePayout(), await sandbox.makePayout()]
  const page = await signIn('operator')
  const otherPerson = await signIn('admin')
  await page.addInitScript(() => {
    const receivedEvents: ReceivedEvent[] = []
    Object.assign(window, { heard: receivedEvents })
    const Followed = window.EventSource
    window.EventSource = class extends Followed {
      constructor(url: string | URL) {
        super(url)
        this.addEventListener('message', ({ data }: MessageEvent<string>) => receivedEvents.push({ at: performance.now(), data }))
      }
    }
  })
  const waitForEventAbout = (id: string) => page.waitForFunction((told) => window.heard.some(({ data }) => data.includes(told)), id)
  const requestPaths: string[] = []
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname))
  const countCountsRequests = () => requestPaths.filter((path) => path === deskApiPath('sandbox', queueCountsPath)).length
  const countPayoutReads = () => requestPaths.filter((path) => path === serviceApiPath('sandbox', `/payouts/${payout.id}`, '')).length
  // Another page already receives events, as on any desk in use. A page that connects later also receives the recent events.
  const following = otherPerson.waitForResponse((response) => new URL(response.url()).pathname === deskApiPath('sandbox', eventsPath))
  await openList(otherPerson)
  await following
  expect((await decideThroughApi(otherPerson, deskUrl, payout, 'release')).status()).toBe(200)
  await openPayment(page, payout)
  await waitForEventAbout(payout.id)
  await waitForPaymentData(page)
  await expect.poll(countCountsRequests).toBeGreaterThan(0)
  const countBefore = countCountsRequests()
  expect((await decideThroughApi(otherPerson, deskUrl, later, 'release')).status()).toBe(200)
  await waitForEventAbout(later.id)
  // Events are handled in order, and each one triggers a count of the queues. A new count therefore shows that this event was handled.
  await expect.poll(countCountsRequests).toBeGreaterThan(countBefore)
  expect(countPayoutReads()).toBeLessThanOrEqual(1 + (await countChangesSinceRead(page, payout.id)))
})

/**
 * Returns the number of changes of a record since its first read began, as the page received them. Includes changes that the service
 * reported late.
 */
const countChangesSinceRead = (page: Page, id: string): Promise<number> =>
  page.evaluate((told) => {
    const [reading] = performance.getEntriesByType('resource').filter(({ name }) => name.includes(`/v1/payouts/${told}`))
    if (!reading) throw new Error('the record was not read')
    const changes = window.heard.flatMap(({ at, data }) =>
      (JSON.parse(data) as { ids: string[] | null; ago: number }[])
        .filter(({ ids }) => ids?.includes(told) ?? true)
        .map(({ ago }) => at - ago),
    )
    return changes.filter((at) => at >= reading.startTime).length
  }, id)

const navigations: [string, string, (page: Page, payout: { customer: string }) => Promise<void>][] = [
  [
    'a link',
    '*/customers/*_rsc=*',
    (page, { customer }) => page.getByRole('article').getByRole('link', { name: customer }).first().click(),
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

for (const [way, asked, leave] of navigations) {
  test(`${way} from an open row is followed even if the list changes during the navigation`, { tag: '@full' }, async ({
    signIn,
    sandbox,
    deskUrl,
  }) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    const otherPage = await signIn('admin')
    await openList(page, { account: payout.account, search_text: payout.externalId })
    await page.getByRole('row').getByRole('link', { name: payout.customer }).click()
    await waitForPaymentData(page)
    const releaseRequests = await holdRequests(page, asked)
    const customersRequest = page.waitForRequest((request) => new URL(request.url()).pathname.includes('/customers'))
    await leave(page, payout)
    await customersRequest
    const countsRequest = page.waitForRequest((request) => new URL(request.url()).pathname === deskApiPath('sandbox', queueCountsPath))
    expect((await decideThroughApi(otherPage, deskUrl, payout, 'release')).status()).toBe(200)
    await countsRequest
    await releaseRequests()
    await expect(page.getByRole('heading', { level: 1, name: way === 'a link' ? payout.customer : 'Customers' })).toBeVisible()
    await expect(page).toHaveURL(/\/customers/)
  })
}
