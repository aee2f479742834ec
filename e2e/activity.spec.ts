import type { Page } from '@playwright/test'
import { activityPath, deskPath, recordPath, serviceApiPath } from '@/lib/routes'
import { decideThroughApi, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { fetchObjects, getTableRows } from './lookup'
import { getPersonOfPage } from './person'
import { makeSettledPayout, waitUntilRequestsLogged } from './request-log'
import type { MadePayment } from './sandbox'

const openActivity = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, activityPath('sandbox', search))
const toTarget = ({ id }: { id: string }) => `payouts/${id}`
const getFilterChip = (page: Page, text: string | RegExp) => page.getByRole('link', { name: text })

/** Reads a payout from the service, as a page of Paydesk would. Returns the id of the request. */
async function readPayoutRequestId(
  page: Page,
  { id, account }: Pick<MadePayment, 'id' | 'account'>,
): Promise<string> {
  const payoutResponse = await page.request.get(
    serviceApiPath('sandbox', `/payouts/${id}`, '', account),
  )
  return ((await payoutResponse.json()) as { meta: { request_id: string } }).meta.request_id
}

test('a call says who asked what and how it ended, and its ids on demand', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await makeSettledPayout(sandbox)
  const page = await signIn('operator')
  const requestId = await readPayoutRequestId(page, payout)
  await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 1)
  await openActivity(page, { tab: 'requests', target: toTarget(payout) })
  await expect(getTableRows(page)).toHaveCount(1)
  await expect(getTableRows(page)).toContainText(
    new RegExp(`read a payout.*${getPersonOfPage(page).name}.*payout.*200.*1×`),
  )
  await getTableRows(page).getByRole('button', { name: 'read a payout' }).focus()
  await page.keyboard.press('Enter')
  const requestDialog = page.getByRole('dialog', { name: 'Request to read a payout' })
  await expect(requestDialog).toContainText(requestId)
  await expect(
    requestDialog.getByRole('button', { name: 'Copy service’s request ID' }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(requestDialog).toBeHidden()
  await getTableRows(page)
    .getByRole('link', { name: /^payout/ })
    .click()
  await expect(page).toHaveURL(
    recordPath('sandbox', 'payouts', payout.id, { account: payout.account }),
  )
})

test('filters narrow and name themselves; a person of the list is one', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await makeSettledPayout(sandbox)
  const [page, admin] = [await signIn('operator'), await signIn('admin')]
  for (const personPage of [page, page, admin]) await readPayoutRequestId(personPage, payout)
  // Makes a fourth request, for another payout. It appears only when the log is shown without a
  // filter.
  await readPayoutRequestId(page, await makeSettledPayout(sandbox))
  await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 3)
  await openActivity(page, { tab: 'requests', target: toTarget(payout) })
  await expect(getTableRows(page)).toHaveCount(3)
  await getTableRows(page)
    .getByRole('link', { name: getPersonOfPage(admin).name })
    .click()
  await expect(
    getFilterChip(page, `Remove filter User: ${getPersonOfPage(admin).name}`),
  ).toBeVisible()
  await expect(getTableRows(page)).toHaveCount(1)
  await getFilterChip(page, `Remove filter User: ${getPersonOfPage(admin).name}`).click()
  // Waits for the list without the filter. The filter controls are rendered together with it.
  await expect(getTableRows(page)).toHaveCount(3)
  const applyMoreFilters = async (fill: () => Promise<unknown>) => {
    await page.getByText('More filters').click()
    await fill()
    await page.getByRole('button', { name: 'Apply' }).click()
  }
  await applyMoreFilters(() =>
    page.getByLabel('User', { exact: true }).selectOption({ label: 'Only mine' }),
  )
  await expect(getTableRows(page)).toHaveCount(2)
  await applyMoreFilters(() => page.getByLabel('Answer').selectOption({ label: 'Refused' }))
  await expect(
    page.getByRole('heading', { name: 'Nothing matches among all requests' }),
  ).toBeVisible()
  await page.goBack()
  await expect(getTableRows(page)).toHaveCount(2)
  await applyMoreFilters(() => page.getByLabel('To,').fill('2024-01-31'))
  await expect(page).toHaveURL(/to=2024-02-01T04/)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('link', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(activityPath('sandbox', { tab: 'requests' }))
  await expect(getTableRows(page).nth(3)).toBeVisible()
})

test('older calls are a page away, and Back leads where one was', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await makeSettledPayout(sandbox)
  const page = await signIn('operator')
  for (let time = 0; time < 53; time += 1) await readPayoutRequestId(page, payout)
  await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 53)
  await openActivity(page, { tab: 'requests', target: toTarget(payout) })
  await expect(page.getByText('53 requests')).toBeVisible()
  const pageNavigation = page.getByRole('navigation', { name: 'Pages' })
  const getPageLink = (name: string) => pageNavigation.getByRole('link', { name, exact: true })
  await expect(getTableRows(page)).toHaveCount(50)
  await expect(getPageLink('Newer')).toHaveCount(0)
  // Makes a new request while the first page is shown. It must not move older requests to another
  // page.
  await readPayoutRequestId(page, payout)
  await getPageLink('Older').click()
  await expect(getTableRows(page)).toHaveCount(3)
  await expect(getPageLink('Older')).toHaveCount(0)
  await expectAccessible(page)
  await page.goBack()
  await expect(getTableRows(page)).toHaveCount(50)
  await page.goForward()
  await expect(getTableRows(page)).toHaveCount(3)
  await getPageLink('Newer').click()
  await expect(getPageLink('Older')).toBeVisible()
  await expect(getTableRows(page)).toHaveCount(50)
  await getPageLink('Newest').click()
  await expect(getPageLink('Newest')).toHaveCount(0)
  await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 54)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('54 requests')).toBeVisible()
})

test('newer calls are counted, and come only when they are asked for', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await makeSettledPayout(sandbox)
  const page = await signIn('operator')
  await readPayoutRequestId(page, payout)
  await page.clock.install()
  await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 1)
  await openActivity(page, { tab: 'requests', target: toTarget(payout) })
  await expect(getTableRows(page)).toHaveCount(1)
  await readPayoutRequestId(page, payout)
  await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 2)
  const newerButton = page.getByRole('button', { name: '1 newer, show' })
  await page.clock.fastForward(31_000)
  await expect(newerButton).toBeVisible()
  await expect(getTableRows(page)).toHaveCount(1)
  await newerButton.click()
  await expect(getTableRows(page)).toHaveCount(2)
  await expect(newerButton).toHaveCount(0)
})

test('equal errors form a group that links to as many requests as it counts', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  // Tries to hold paid payouts, which the service refuses. No other test does that, so the counts
  // below are exact.
  for (const payout of [
    await sandbox.makePayout({ status: 'paid' }),
    await sandbox.makePayout({ status: 'paid' }),
  ]) {
    expect((await decideThroughApi(page, deskUrl, payout, 'hold')).status()).toBe(422)
    await waitUntilRequestsLogged(page, { target: toTarget(payout) }, 1)
  }
  await openActivity(page, { tab: 'errors' })
  const errorGroupRow = getTableRows(page).filter({ hasText: 'hold a payout' })
  expect(Number(await errorGroupRow.getByRole('cell').nth(2).textContent())).toBeGreaterThan(1)
  await expect(errorGroupRow).toContainText('service refused:')
  const requestCountText = await errorGroupRow.getByRole('cell').nth(2).textContent()
  await errorGroupRow.getByRole('link').click()
  await expect(getFilterChip(page, 'Remove filter Error: service_refused')).toBeVisible()
  await expect(page.getByText(`${requestCountText} requests`)).toBeVisible()
})

test('a request ID without a record leads to its line', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  const paymentsResponse = await page.request.get(
    serviceApiPath('sandbox', '/payments', 'page_size=1'),
  )
  const { meta } = (await paymentsResponse.json()) as { meta: { request_id: string } }
  await waitUntilRequestsLogged(page, { request: meta.request_id }, 1)
  await openActivity(page, { tab: 'requests', request: meta.request_id })
  await expect(getTableRows(page)).toHaveCount(1)
  await goTo(page, deskPath('sandbox', '/organizations'))
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find or go to' }).fill(meta.request_id)
  await page
    .getByRole('option', { name: `Search payments Request by ${getPersonOfPage(page).name}` })
    .click()
  await expect(page).toHaveURL(
    activityPath('sandbox', { tab: 'requests', request: meta.request_id }),
  )
  await expect(getTableRows(page)).toHaveCount(1)
})

const listPathByResource = {
  charges: '/payments?payment_type=charge',
  payouts: '/payments?payment_type=payout',
  paykeys: '/paykeys',
  customers: '/customers',
  accounts: '/accounts',
  organizations: '/organizations',
  representatives: '/representatives',
  linked_bank_accounts: '/linked_bank_accounts',
  funding_events: '/funding_events',
} as const

test('each kind of record shows its requests to a person who may read the log', {
  tag: '@full',
}, async ({ signIn }) => {
  const [page, viewer] = [await signIn('operator'), await signIn('viewer')]
  for (const [kind, list] of Object.entries(listPathByResource) as [
    keyof typeof listPathByResource,
    string,
  ][]) {
    const [path = '', query] = list.split('?')
    const [first] = await fetchObjects(page, path, `page_size=1${query ? `&${query}` : ''}`)
    const recordApiPath =
      kind === 'linked_bank_accounts' || kind === 'funding_events'
        ? `${path}/${first?.id}`
        : `/${kind}/${first?.id}`
    expect((await page.request.get(serviceApiPath('sandbox', recordApiPath, ''))).ok(), kind).toBe(
      true,
    )
    await waitUntilRequestsLogged(page, { target: `${kind}/${first?.id}` }, 1)
    await goTo(page, recordPath('sandbox', kind, first?.id ?? ''))
    await page.getByRole('button', { name: 'Show requests' }).click()
    const requestList = page.getByRole('list', { name: 'Requests, newest first' })
    await expect(requestList.getByRole('button', { name: /^read / }).first(), kind).toBeVisible()
    await expect(page.getByRole('link', { name: 'All in Activity' })).toHaveAttribute(
      'href',
      /target=/,
    )
  }
  const [organization] = await fetchObjects(viewer, '/organizations', 'page_size=1')
  await goTo(viewer, recordPath('sandbox', 'organizations', organization?.id ?? ''))
  await expect(viewer.getByRole('button', { name: 'Show requests' })).toHaveAccessibleDescription(
    /^Only .* can read the request log\.$/,
  )
})

test('a viewer sees that the log is unavailable and who can change that', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('viewer')
  await openActivity(page)
  await expect(
    page.getByRole('heading', { name: 'You don’t have access to the request log' }),
  ).toBeVisible()
  await expect(page.getByText('An admin can grant one of these roles.')).toBeVisible()
})
