import type { Page } from '@playwright/test'
import { homePath, listPath, recordPath, signInPath } from '@/lib/routes'
import { startWholeDesk, type WholeDesk } from '@/tests/harness/whole-desk'
import { getDecisionRegion, openPayout, waitUntilLoaded } from './desk'
import { expect, type StopAfterTest, test } from './fixtures'
import { getHomeRegion } from './home'
import { expectAccessibleAt } from './look'
import { getTableRows } from './lookup'
import { holdRequests } from './request-faults'

/**
 * Starts a separate Paydesk and sandbox, whose data no other test changes. Returns them with the id
 * and URL of a new payout on hold.
 */
async function startDeskWithHeldPayout(
  page: Page,
  stopAfterTest: StopAfterTest,
): Promise<{ desk: WholeDesk; id: string; url: string }> {
  const wholeDesk = await stopAfterTest(startWholeDesk({ mirror: true }))
  await page.goto(wholeDesk.dashboard.url + signInPath(homePath('sandbox')))
  await page.getByRole('button', { name: /^operator / }).click()
  await expect(getHomeRegion(page, 'For you')).toBeVisible()
  const { id } = await wholeDesk.sandbox.makePayout()
  await wholeDesk.mirrored([id])
  return {
    desk: wholeDesk,
    id,
    url: wholeDesk.dashboard.url + recordPath('sandbox', 'payouts', id),
  }
}

/**
 * Simulates a change at the service that the mirror missed: the mirrored row gets another
 * description and is 3 minutes old. The version of the row is in the future, so that no read of the
 * service replaces the row during the test.
 */
const makeMirroredPayoutStale = ({ db }: WholeDesk, id: string) =>
  db.query(
    `update mirror_payments set object = object || '{"description":"Rent of March"}', record = null, seen_at = seen_at - interval '3 minutes',
     version_at = clock_timestamp() + interval '1 day' where id = $1`,
    [id],
  )

const getDifferenceList = (page: Page) => page.getByRole('list', { name: 'What is different' })

const getBeginReleaseButton = (page: Page) =>
  getDecisionRegion(page).getByRole('button', { name: 'Release…' })

test('a record renders from the mirror, then with the service’s response', {
  tag: '@full',
}, async ({ page, started }) => {
  test.slow()
  const { desk, id, url } = await startDeskWithHeldPayout(page, started)
  const { sandbox } = desk
  await makeMirroredPayoutStale(desk, id)
  const requestPaths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/sandbox/v1/'))
      requestPaths.push(pathname.replace(/[0-9a-f-]{36}/, ':id'))
  })
  const passServiceRequests = await holdRequests(page, '*/api/sandbox/v1/*')
  await page.goto(`${url}?do=release`)
  await expect(page.getByRole('article')).toContainText('As of 3 min ago')
  await expect(page.getByRole('article').getByRole('heading', { level: 1 })).toBeVisible()
  await expect(getBeginReleaseButton(page)).toBeDisabled()
  await getBeginReleaseButton(page).focus()
  await expect(page.getByRole('tooltip')).toHaveText(
    'The payments service is still being asked about this payout.',
  )
  // The page requests the payout and its related objects at once. It does not wait for the payout
  // first.
  const expectedRequestPaths = [
    '/api/sandbox/v1/accounts/:id',
    '/api/sandbox/v1/customers/:id',
    '/api/sandbox/v1/paykeys/:id',
    '/api/sandbox/v1/payouts/:id',
  ]
  await expect.poll(() => requestPaths.toSorted()).toEqual(expectedRequestPaths)
  await passServiceRequests()

  await expect(getDifferenceList(page)).toContainText('description: was Rent of March and is now')
  await expect(page.getByRole('status').filter({ has: getDifferenceList(page) })).toContainText(
    'Updated by the payments service’s answer',
  )
  await expect(page.getByRole('article')).not.toContainText('As of')
  // `do=release` in the URL opens the release form, but only after the service has responded.
  await expect(getDecisionRegion(page).getByRole('button', { name: /^Release \$\d/ })).toBeVisible()
  await waitUntilLoaded(page)
  expect(requestPaths.toSorted()).toEqual(expectedRequestPaths)
  await expectAccessibleAt(page, 'narrow')

  await page.goto(url)
  await expect(getBeginReleaseButton(page)).toBeEnabled()
  // If the service no longer has the payout, the page does not show the row of the mirror either.
  await sandbox.fault({
    operation: 'payouts.get',
    match: id,
    kind: 'status',
    status: 404,
    count: null,
  })
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Not found in the whole platform' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('The payments service last showed it')
  await sandbox.clearFaults()
})

test('a record beside a list renders from the mirror, then with the response', {
  tag: '@full',
}, async ({ page, started }) => {
  test.slow()
  const { desk, id } = await startDeskWithHeldPayout(page, started)
  const { sandbox, dashboard } = desk
  await makeMirroredPayoutStale(desk, id)
  const recordArticle = page.getByRole('article')
  const listUrl = dashboard.url + listPath('sandbox', 'payouts', { tab: 'all' })
  const passHeldRequests = await holdRequests(page, '*/api/sandbox/v1/*')
  await page.goto(listUrl)
  await waitUntilLoaded(page)
  await getTableRows(page).first().getByRole('link').first().click()
  await expect(recordArticle.locator('[data-heading]')).toHaveAttribute('data-heading', id)
  await expect(recordArticle).toContainText('As of 3 min ago')
  await expect(getBeginReleaseButton(page)).toBeDisabled()
  await getBeginReleaseButton(page).focus()
  await expect(page.getByRole('tooltip')).toHaveText(
    'The payments service is still being asked about this payout.',
  )
  await passHeldRequests()
  await expect(getDifferenceList(page)).toContainText('description: was Rent of March and is now')
  await expect(recordArticle).not.toContainText('As of')
  await expect(getBeginReleaseButton(page)).toBeEnabled()
  await expectAccessibleAt(page, 'narrow')

  // The first HTML of a list with an open row contains the record of that row. It comes from the
  // mirror, without a request to the service.
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const [resource, open] of [
    ['payouts', id],
    ['payouts', 'first'],
    ['payments', id],
  ] as const) {
    const seqBefore = await sandbox.lastSeq()
    const listPageHtml = await (
      await page.request.get(dashboard.url + listPath('sandbox', resource, { tab: 'all', open }))
    ).text()
    expect(listPageHtml, `${resource} ${open}`).toContain(`data-heading="${id}"`)
    const payoutRequests = (await sandbox.requests(seqBefore)).filter(({ path }) =>
      path.includes(id),
    )
    expect(payoutRequests, `${resource} ${open}`).toEqual([])
  }

  await sandbox.stop()
  await page.goto(`${listUrl}&open=${id}`)
  await expect(recordArticle).toContainText(
    'This payout could not be refreshed; the last known data is shown',
  )
  await expect(getDecisionRegion(page)).toContainText(
    'Release unavailable: The payments service could not be asked about this payout:',
  )
  await getTableRows(page).nth(1).getByRole('link').first().click()
  await expect(recordArticle.locator('[data-heading]')).not.toHaveAttribute('data-heading', id)
  await expect(recordArticle).toContainText(
    'This payout could not be refreshed; the last known data is shown',
  )
  await expect(recordArticle).toContainText('As of ')
  await expectAccessibleAt(page, 'narrow')
})

test('a record renders with its age if the service is down, and shows why its actions are disabled', {
  tag: '@full',
}, async ({ page, started }) => {
  test.slow()
  const { desk, url } = await startDeskWithHeldPayout(page, started)
  const { sandbox, dashboard, db } = desk
  await sandbox.stop()
  await page.goto(url)
  const article = page.getByRole('article')
  await expect(article).toContainText(
    'This payout could not be refreshed; the last known data is shown',
  )
  await expect(article).toContainText('As of ')
  await expect(getDecisionRegion(page)).toContainText(
    'Release unavailable: The payments service could not be asked about this payout:',
  )
  await expect(getBeginReleaseButton(page)).toBeDisabled()
  await expectAccessibleAt(page, 'narrow')

  // Opens a customer that the mirror knows only from a list. Fields that lists omit are shown as
  // "not read yet", never as empty.
  const { rows } = await db.query(
    'select id from mirror_customers where record is null order by id limit 1',
  )
  await page.goto(
    dashboard.url + recordPath('sandbox', 'customers', (rows[0] as { id: string }).id),
  )
  await expect(article).toContainText(
    'This customer could not be refreshed; the last known data is shown',
  )
  await expect(article.getByText('not read yet').first()).toBeVisible()
  await expect(article.getByText('No metadata.')).toHaveCount(0)
})

test('the page of a charge with the ID of a payout leads to the payout', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  await page.goto(recordPath('sandbox', 'charges', payout.id))
  await expect(page).toHaveURL(new RegExp(`/sandbox/payouts/${payout.id}`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
