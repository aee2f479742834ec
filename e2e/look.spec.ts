import type { Page } from '@playwright/test'
import { payoutPath, payoutsPath, serviceApiPath, signInPath } from '@/lib/routes'
import {
  createPdfFile,
  fillRelease,
  getDecisionRegion,
  getFileRow,
  getReleaseButton,
  goTo,
  listAccounts,
  openPayout,
  openPayoutList,
  uploadFiles,
  waitForPaymentData,
} from './desk'
import { emailOf, expect, test } from './fixtures'
import { expectAccessible, expectAccessibleAt, measureLayoutShifts } from './look'
import { getPersonOfPage } from './person'

test('sign-in with an error', { tag: '@full' }, async ({ page }) => {
  await goTo(page, signInPath())
  await page.getByLabel('Email').fill(emailOf('viewer').replace('viewer', 'stranger'))
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Sign-in failed' })).toBeVisible()
  await expectAccessible(page)
})

test('a list with a payout open beside it', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayoutList(page, { account: payout.account, open: payout.id })
  await waitForPaymentData(page)
  await expectAccessible(page)
})

test('a list without matches, and a page past its end', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  await openPayoutList(page, { search_text: 'no such payout' })
  await expectAccessible(page)
  await openPayoutList(page, { tab: 'all', page: '9999' })
  await expectAccessibleAt(page, 'wide')
})

test('an empty list', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  const emptyListScope = await findEmptyListScope(page)
  await openPayoutList(page, emptyListScope)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(/^(All caught up|No payout)/)
  await expectAccessible(page)
})

test('a list with an invalid filter', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  await openPayoutList(page, { min_amount: 'much' })
  await expect(page.getByText('is not a valid filter; showing all.')).toBeVisible()
  await expectAccessible(page)
})

test('a payout on a blocked bank account, with its JSON', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout({ paykey_status: 'blocked' })
  const page = await signIn('viewer')
  await openPayout(page, payout)
  await page.getByRole('button', { name: 'Show JSON' }).click()
  await expectAccessible(page)
})

test('the confirmation with a missing reason and a warning', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await getDecisionRegion(page).getByRole('button', { name: 'Release…' }).click()
  await getDecisionRegion(page).getByLabel('Note', { exact: true }).fill('Ask someone@example.com')
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByLabel('Reason', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expectAccessible(page)
})

test('a released payout', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillRelease(page)
  await getReleaseButton(page).click()
  await getDecisionRegion(page).getByText('Technical details (1 attempt)').click()
  await expectAccessible(page)
})

test('a refused release, and then one with an unknown outcome', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillRelease(page)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 422,
  })
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByText('The payments service refused this')).toBeVisible()
  await expectAccessible(page)
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    count: null,
  })
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page).getByText('Outcome unknown')).toBeVisible({
    timeout: 15_000,
  })
  await expectAccessible(page)
})

test('an upload with a valid and an invalid file', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await uploadFiles(page, [
    createPdfFile('good.pdf'),
    { ...createPdfFile('bad.png'), mimeType: 'image/png' },
  ])
  await expect(page.getByText('Document uploaded. Release now?')).toBeVisible()
  await expect(getFileRow(page, 'bad.png')).toContainText('not sent')
  await expectAccessible(page)
})

test('popups over a page', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await page.getByRole('button', { name: /^Account/ }).click()
  await expect(
    page.getByRole('dialog', { name: 'Account scope' }).getByRole('link').first(),
  ).toBeVisible()
  await expectAccessibleAt(page, 'wide')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: getPersonOfPage(page).name }).click()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  await expectAccessibleAt(page, 'wide')
  await page.keyboard.press('Escape')
  await page.getByLabel('Copy', { exact: true }).click()
  await expect(page.getByRole('button', { name: 'Copy payout ID' }).first()).toBeVisible()
  await expectAccessibleAt(page, 'wide')
})

test('popups over the list', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  await openPayoutList(page)
  await page.getByText('More filters').click()
  await expect(page.getByRole('button', { name: 'Apply' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Pages' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Payouts' }),
  ).toBeVisible()
  await expectAccessibleAt(page, 'narrow')
})

test('URLs that do not exist', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const { account } = await sandbox.makePayout()
  const page = await signIn('operator')
  await page.goto(payoutPath('sandbox', '00000000-0000-4000-8000-000000000000', { account }))
  await expect(page.getByRole('heading', { name: /^Not found in/ })).toBeVisible()
  await expectAccessible(page)
  for (const path of [payoutPath('sandbox', 'no-id'), payoutsPath('nowhere')]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expectAccessible(page)
  }
})

test('the first row of a list is near the top, without layout shifts', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  const readShiftSum = await measureLayoutShifts(page)
  await openPayoutList(page)
  await expect(
    page.getByRole('navigation', { name: 'Statuses' }).getByRole('link').last(),
  ).toHaveText(/^All[\d,]+$/)
  expect((await page.getByRole('row').nth(1).boundingBox())?.y).toBeLessThanOrEqual(176)
  expect(await readShiftSum()).toBeLessThan(0.02)
})

test('the data for a decision is in view at once, without layout shifts', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const readPageShiftSum = await measureLayoutShifts(page)
  for (const path of [
    payoutPath('sandbox', payout.id, { account: payout.account }),
    // The search leaves only this payout in the list, because new rows of other tests would move
    // it.
    payoutsPath('sandbox', {
      account: payout.account,
      search_text: payout.externalId,
      open: payout.id,
    }),
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo(page, path)
    await waitForPaymentData(page)
    await expect(page.getByRole('heading', { name: /Payout of \$123\.45/ })).toBeInViewport({
      ratio: 1,
    })
    await expect(page.getByText('Provider’s reason:')).toBeInViewport({ ratio: 1 })
    await expect(getDecisionRegion(page)).toBeInViewport({ ratio: 1 })
    const checksBox = await page.getByRole('list', { name: 'Checks' }).boundingBox()
    const decisionBox = await getDecisionRegion(page).boundingBox()
    expect((checksBox?.y ?? 0) + (checksBox?.height ?? 0)).toBeLessThanOrEqual(decisionBox?.y ?? 0)
    expect(await readPageShiftSum(), path).toBeLessThan(0.02)
  }
})

/** Returns an account and a tab whose list of payouts is empty. */
async function findEmptyListScope(page: Page): Promise<{ account: string; tab: string }> {
  const statusesByTab = {
    hold: 'on_hold',
    pending: 'pending',
    cancelled: 'cancelled',
    returned: 'failed,reversed',
  }
  for (const account of await listAccounts(page)) {
    for (const [tab, states] of Object.entries(statusesByTab)) {
      const query = `payment_type=payout&payment_status=${states}&page_size=1`
      const payoutsResponse = await page.request.get(
        serviceApiPath('sandbox', '/payments', query, account.id),
      )
      const { meta } = (await payoutsResponse.json()) as { meta: { total_items: number } }
      if (meta.total_items === 0) return { account: account.id, tab }
    }
  }
  throw new Error('every account has payouts in every state')
}
