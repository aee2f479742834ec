import { randomUUID } from 'node:crypto'
import type { Page, Request } from '@playwright/test'
import { deskApiPath, eventsPath, listPath, serviceApiPath } from '@/lib/routes'
import {
  checkAllBoxes,
  decideThroughApi,
  fillRelease,
  getDecisionRegion,
  goTo,
  openPayment,
  openPayoutList,
  waitForPaymentData,
  waitUntilLoaded,
} from './desk'
import { endSession, expect, test } from './fixtures'
import {
  disableUserActivation,
  isEventsRequest,
  isSamePage,
  openLivePage,
  waitForEventsResponse,
} from './live'
import { getTableRows } from './lookup'
import { reasonHeader } from './reason'
import { redirectRequests } from './request-faults'
import type { MadePayment } from './sandbox'

test.use({ events: 'live' })

/** Functions that open a record beside its list, or on its own page. */
const recordOpeners = {
  'beside a list': (page: Page, { account, id }: MadePayment) =>
    openPayoutList(page, { account, open: id }),
  'on its own page': openPayment,
}

for (const [viewName, openRecord] of Object.entries(recordOpeners)) {
  const testTitle = `a release by one person updates the open record of another ${viewName} and keeps the typed text`
  test(testTitle, { tag: '@full' }, async ({ signIn, sandbox, deskUrl }) => {
    const payout = await sandbox.makePayout()
    const page = await signIn('operator')
    await openLivePage(page, () => openRecord(page, payout))
    await waitForPaymentData(page)
    await fillRelease(page, 'Half of a sentence')
    await expect(page.getByRole('article')).not.toContainText('Scheduled')
    const noteInput = getDecisionRegion(page).getByLabel('Note', { exact: true })
    await noteInput.evaluate((field: HTMLTextAreaElement) => {
      field.focus()
      field.setSelectionRange(5, 7)
    })
    expect(
      (await decideThroughApi(await signIn('admin'), deskUrl, payout, 'release')).status(),
    ).toBe(200)
    await expect(page.getByRole('article')).toContainText('Scheduled')
    await expect(noteInput).toBeFocused()
    await expect(noteInput).toHaveValue('Half of a sentence')
    expect(
      await noteInput.evaluate((field: HTMLTextAreaElement) => [
        field.selectionStart,
        field.selectionEnd,
      ]),
    ).toEqual([5, 7])
    expect(await isSamePage(page)).toBe(true)
  })
}

test('an amount that changed under the open form is released only after a notice', async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openLivePage(page, () => openPayment(page, payout))
  await fillRelease(page)
  const otherPersonPage = await signIn('admin')
  const payoutUrl = serviceApiPath('sandbox', `/payouts/${payout.id}`, '', payout.account)
  const { data } = (await (await otherPersonPage.request.get(payoutUrl)).json()) as {
    data: { payment_date: string }
  }
  const changeResponse = await otherPersonPage.request.put(payoutUrl, {
    headers: {
      origin: deskUrl,
      ...reasonHeader,
      'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
    },
    data: { amount: 12_345, description: 'Rent', payment_date: data.payment_date, metadata: {} },
  })
  expect(changeResponse.status()).toBe(200)
  const releaseButton = getDecisionRegion(page).getByRole('button', { name: /^Release \$123\.45/ })
  await expect(releaseButton).toBeVisible()
  await checkAllBoxes(getDecisionRegion(page))
  await releaseButton.click()
  await expect(getDecisionRegion(page).getByText('This changed since you opened it')).toBeVisible()
  expect(await sandbox.writes(payout.id)).toHaveLength(1)
  await checkAllBoxes(getDecisionRegion(page))
  await releaseButton.click()
  await expect(getDecisionRegion(page).getByText('Released', { exact: true })).toBeVisible()
  expect(await sandbox.writes(payout.id)).toHaveLength(2)
})

test('automatic reads are marked as unattended, and reads by a person are not', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const decidingPersonPage = await signIn('admin')
  const [recordPage, listPage] = [await signIn('viewer'), await signIn('viewer')]
  await disableUserActivation(recordPage)
  await disableUserActivation(listPage)
  await openLivePage(recordPage, () => openPayment(recordPage, payout))
  const recordRequestPromise = recordPage.waitForRequest(
    (request) =>
      new URL(request.url()).pathname === serviceApiPath('sandbox', `/payouts/${payout.id}`, ''),
  )
  await openLivePage(listPage, () =>
    goTo(listPage, listPath('sandbox', 'payouts', { account: payout.account, tab: 'all' })),
  )
  const isListRequest = (request: Request) => new URL(request.url()).searchParams.has('_rsc')
  const listRequestPromise = listPage.waitForRequest(isListRequest)
  await decideThroughApi(decidingPersonPage, deskUrl, payout, 'release')
  for (const read of [await recordRequestPromise, await listRequestPromise])
    expect(read.headers()).toHaveProperty('unattended')
  await waitUntilLoaded(listPage)
  const refreshRequestPromise = listPage.waitForRequest(
    (request) => isListRequest(request) && !('unattended' in request.headers()),
  )
  await listPage.getByRole('button', { name: 'Refresh' }).click()
  await refreshRequestPromise
})

test('the tabs of a browser share one connection, and a remaining tab takes it over', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const openStreams = new Set<Request>()
  page.context().on('request', (request) => isEventsRequest(request) && openStreams.add(request))
  page.context().on('requestfinished', (request) => openStreams.delete(request))
  page.context().on('requestfailed', (request) => openStreams.delete(request))
  await openLivePage(page, () => goTo(page, listPath('sandbox', 'customers')))
  const secondPage = await page.context().newPage()
  await openPayoutList(secondPage, { account: payout.account, open: payout.id })
  await waitForPaymentData(secondPage)
  const adminPage = await signIn('admin')
  await decideThroughApi(adminPage, deskUrl, payout, 'release')
  await expect(secondPage.getByRole('article')).toContainText('Scheduled')
  expect([...openStreams].map((request) => request.frame().page())).toEqual([page])
  const takeoverResponsePromise = secondPage.waitForResponse((response) =>
    isEventsRequest(response.request()),
  )
  await page.close()
  expect((await takeoverResponsePromise).status()).toBe(200)
  await decideThroughApi(adminPage, deskUrl, payout, 'hold')
  await expect(secondPage.getByRole('article')).toContainText('On hold')
})

test('without a connection, a list is read again every 30 seconds', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await page.clock.install()
  await redirectRequests(page, `*${deskApiPath('sandbox', eventsPath)}*`, `${deskUrl}/api/none`)
  const payoutListParams = { account: payout.account, tab: 'all', search_text: payout.externalId }
  const refusedResponsePromise = waitForEventsResponse(page)
  await goTo(page, listPath('sandbox', 'payouts', payoutListParams))
  expect((await refusedResponsePromise).status()).toBe(404)
  await expect(getTableRows(page)).toContainText(['On hold'])
  expect((await decideThroughApi(await signIn('admin'), deskUrl, payout, 'release')).status()).toBe(
    200,
  )
  await page.clock.fastForward(30_000)
  await expect(getTableRows(page)).not.toContainText(['On hold'])
  await expect(getTableRows(page)).toHaveCount(1)
})

test('the end of a session closes its connection', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('viewer')
  await openLivePage(page, () => goTo(page, listPath('sandbox', 'customers')))
  const refusedEventsResponsePromise = waitForEventsResponse(page)
  await endSession(page)
  // A new payout causes an event. Before the server sends an event, it checks the session. Here it
  // closes the stream, and the browser's next connection is refused with 401.
  await sandbox.makePayout()
  expect((await refusedEventsResponsePromise).status()).toBe(401)
  expect(await isSamePage(page)).toBe(true)
})
