import type { Page } from '@playwright/test'
import { activityPath, signInPath } from '@/lib/routes'
import { waitUntil } from '@/tests/harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout, deliverWebhook } from '@/tests/harness/webhook'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { makeAccountWithCustomer } from './customer'
import { decideThroughApi, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { waitForHydration } from './wait-for-hydration'

const getUnknownOutcomeRows = (page: Page) =>
  page.locator('ul[aria-label="Actions with an unknown outcome"] > li')

test('an unknown outcome is listed first, and checking again settles it once, in place', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    count: null,
  })
  expect(await (await decideThroughApi(page, deskUrl, payout, 'release')).json()).toMatchObject({
    action: { state: 'unknown' },
  })
  await goTo(page, activityPath('sandbox', { account: payout.account }))
  const actionRow = getUnknownOutcomeRows(page).filter({ hasText: payout.id.slice(-6) })
  await expect(actionRow).toContainText(/release a payout.*payout …\w+.*by you/)
  await expect(actionRow).toContainText(/needs a decision in (19|20) h/)
  await actionRow.getByRole('button', { name: 'Check again' }).focus()
  await page.keyboard.press('Enter')
  await expect(actionRow.getByText('Checked: still unknown.')).toBeVisible()
  expect(await sandbox.journal(payout.id)).toEqual([])
  await sandbox.clearFaults()
  await actionRow.getByRole('button', { name: 'Check again' }).click()
  await expect(actionRow.getByText('Released', { exact: true })).toBeVisible()
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  expect(new Set((await sandbox.writes(payout.id)).map((row) => row.idempotency_key)).size).toBe(1)
  await actionRow.getByRole('button', { name: 'Dismiss' }).click()
  await expect(actionRow).toHaveCount(0)
})

test.describe('with live events', () => {
  test.use({ events: 'live' })

  test('changes by another person are announced and appear on demand', { tag: '@full' }, async ({
    signIn,
    sandbox,
    deskUrl,
  }) => {
    const [page, other] = [await signIn('operator'), await signIn('admin')]
    const newAccount = await makeAccountWithCustomer(other, deskUrl)
    const firstPayout = await sandbox.makePayout({
      account_id: newAccount.id,
      customer_id: newAccount.customer.id,
    })
    const { account } = firstPayout
    const secondPayout = await sandbox.makePayout({
      account_id: newAccount.id,
      paykey_id: firstPayout.paykey,
      amount: 4321,
    })
    const makeUnknownRelease = async ({ id }: { id: string }) => {
      await sandbox.fault({
        operation: 'payouts.release',
        match: id,
        kind: 'status',
        status: 500,
        count: null,
      })
      expect(
        await (await decideThroughApi(other, deskUrl, { ...firstPayout, id }, 'release')).json(),
      ).toMatchObject({
        action: { state: 'unknown' },
      })
    }
    await makeUnknownRelease(firstPayout)
    await goTo(page, activityPath('sandbox', { account }))
    await expect(page).toHaveURL(/tab=unknown/)
    const findUnknownRow = ({ id }: { id: string }) =>
      getUnknownOutcomeRows(page).filter({ hasText: id.slice(-6) })
    await expect(findUnknownRow(firstPayout)).toBeVisible()
    await makeUnknownRelease(secondPayout)
    const updateListButton = page.getByRole('button', { name: /1 new.*Update list$/ })
    await expect(updateListButton).toBeVisible()
    await expect(findUnknownRow(secondPayout)).toHaveCount(0)
    await sandbox.clearFaults()
    await findUnknownRow(firstPayout).getByRole('button', { name: 'Check again' }).click()
    await expect(findUnknownRow(firstPayout).getByText('Released', { exact: true })).toBeVisible()
    await expect(
      page.getByRole('button', { name: /no longer match(?:es)?.* · Update list$/ }),
    ).toBeVisible()
    await expect(findUnknownRow(firstPayout).getByText('Released', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: /no longer match(?:es)?.* · Update list$/ }).click()
    await expect(findUnknownRow(firstPayout)).toHaveCount(0)
  })
})

test('two people with matching evidence decide an outcome that can no longer be confirmed', {
  tag: '@full',
}, async ({ page, started }) => {
  // Slow, because the test starts its own Paydesk. It needs one because it edits the database, so
  // that the first attempt seems 21 hours old.
  test.slow()
  const desk = await started(startWholeDesk())
  const payout = await desk.sandbox.makePayout()
  await desk.sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 3,
  })
  const { body } = await desk.operator.decide('release', payout)
  await desk.db.query(
    `update actions set first_sent_at = now() - interval '21 hours', next_check_at = now() where id = $1`,
    [body.action?.id],
  )
  await waitUntil('it to burn out', async () => {
    const { rowCount } = await desk.db.query(`select 1 from actions where state = 'needs_human'`)
    return rowCount === 1 ? true : null
  })
  const webhookEvent = buildWebhookEvent(
    'payout.event.v1',
    buildWebhookPayout({ id: payout.id, status: 'on_hold' }),
    payout.account.replace('acct_', ''),
  )
  expect(
    (
      await deliverWebhook({
        desk: desk.dashboard.url,
        secret: desk.webhookSecret,
        body: webhookEvent,
      })
    ).status,
  ).toBe(204)
  await page.goto(desk.dashboard.url + signInPath(activityPath('sandbox', { tab: 'unknown' })))
  await page.getByRole('button', { name: /^operator / }).click()
  const unknownActionRow = getUnknownOutcomeRows(page)
  await expect(
    unknownActionRow.getByRole('list', { name: 'Webhooks since the action' }),
  ).toContainText('payout.event.v1: on hold')
  await expect(
    unknownActionRow.getByRole('button', { name: 'Decide' }),
  ).toHaveAccessibleDescription(/^Only .* can decide this\.$/)
  await desk.db.query(`insert into grants (person_id, role, environment)
    select id, 'reviewer', 'sandbox' from people where email = 'operator@paydesk.test'`)
  await expect(async () => {
    await page.reload()
    await expect(
      unknownActionRow
        .getByRole('paragraph')
        .filter({ hasText: 'You sent this action: two other people' }),
    ).toBeVisible()
  }).toPass()
  await expect(
    unknownActionRow.getByRole('button', { name: 'Decide' }),
  ).toHaveAccessibleDescription(/^You sent this action/)
  await expect(unknownActionRow.getByLabel('What happened')).toHaveCount(0)
  await expectAccessible(page)
  await page.context().clearCookies()

  await page.goto(desk.dashboard.url + signInPath(activityPath('sandbox', { tab: 'unknown' })))
  await page.getByRole('button', { name: /^reviewer / }).click()
  await expect(unknownActionRow.getByLabel('What happened')).toBeVisible()
  await waitForHydration(page)
  await expect(unknownActionRow.getByRole('button', { name: 'Check again' })).toHaveCount(0)
  await unknownActionRow
    .getByLabel('What happened')
    .selectOption({ label: 'The action was carried out' })
  await unknownActionRow.getByLabel('Evidence').fill('Trust me')
  await unknownActionRow.getByRole('button', { name: 'Propose' }).click()
  await expect(unknownActionRow.getByLabel('Evidence')).toHaveAccessibleDescription(/20/)
  await expect(unknownActionRow.getByLabel('Evidence')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await unknownActionRow
    .getByLabel('Evidence')
    .fill('The provider confirmed in ticket 4711 that the release went through.')
  await unknownActionRow.getByRole('button', { name: 'Propose' }).click()
  await expect(unknownActionRow).toContainText('You proposed')
  await expect(
    unknownActionRow.getByRole('button', { name: 'Decide' }),
  ).toHaveAccessibleDescription(/^You proposed this outcome/)
  await expect(unknownActionRow.getByLabel('What happened')).toHaveCount(0)
  await page.context().clearCookies()

  await page.goto(desk.dashboard.url + signInPath(activityPath('sandbox', { tab: 'unknown' })))
  await page.getByRole('button', { name: /^admin .*admin2@/ }).click()
  await expect(unknownActionRow).toContainText('Rhea Reviewer proposed')
  await expect(unknownActionRow).toContainText(
    '“The provider confirmed in ticket 4711 that the release went through.”',
  )
  await waitForHydration(page)
  await unknownActionRow
    .getByLabel('What happened')
    .selectOption({ label: 'The action was carried out' })
  await unknownActionRow
    .getByLabel('Evidence')
    .fill('I read it in the console of the provider myself.')
  await expectAccessible(page)
  await unknownActionRow.getByRole('button', { name: 'Decide' }).click()
  await expect(unknownActionRow.getByText('Marked as carried out')).toBeVisible()
  await expect(unknownActionRow).toContainText('Ada Admin decided this on evidence')
  await unknownActionRow.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('heading', { name: 'No unknown outcomes' })).toBeVisible()
  expect(await desk.sandbox.journal(payout.id)).toEqual([])
})
