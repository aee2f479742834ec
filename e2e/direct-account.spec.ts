import { deskPath, homePath, recordPath } from '@/lib/routes'
import {
  createPdfFile,
  getFileRow,
  getReleaseButton,
  getReleasedMessage,
  getTimelineList,
  goTo,
  openPayout,
  prepareRelease,
  uploadFiles,
} from './desk'
import { expect } from './fixtures'
import {
  createCustomer,
  createCustomerName,
  deleteCustomer,
  requestHigherLimit,
  unblockPaykey,
} from './main-tasks'
import {
  checkPlanCheckboxes,
  clickReview,
  fillPayment,
  openPaymentForm,
  readCreatedPaymentId,
} from './new-payment'
import { test } from './own-desk'
import { checkAllBoxes, openAndFillDecision, readPaykeyStatus } from './paykey-desk'

test.use({ settings: { SANDBOX_INTEGRATION: 'account' } })

test('a direct account has no account to choose, is named, and pays without one', async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('admin')
  await goTo(page, homePath('sandbox'))
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Start queue' }).first()).toBeVisible()
  await expect(page.getByText('not yet known')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Account/ })).toHaveCount(0)
  const navigation = page.getByRole('navigation').first()
  await expect(navigation.getByRole('link', { name: 'Limits' })).toBeVisible()
  for (const name of ['Accounts', 'Organizations'])
    await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0)
  const { paykey } = await sandbox.makePayout({ status: 'paid' })
  await openPaymentForm(page, 'payout', { paykey })
  await fillPayment(page, 'payout', '31.00')
  await clickReview(page, 'payout')
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Pay out $31.00' }).click()
  const id = await readCreatedPaymentId(page, 'payout')
  expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual(['payouts.create'])
})

test('pages of accounts and organizations do not exist', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('admin')
  for (const path of ['/accounts', '/accounts/new', '/organizations', '/organizations/new']) {
    await page.goto(deskPath('sandbox', path))
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible()
  }
})

test('a held payout is released and a proof uploaded', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const payout = await sandbox.makePayout()
  await openPayout(page, payout)
  await expect(page.getByText('for Brightwater Property Group in SANDBOX').first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'Checks' })).toContainText(/Daily limit.*\$/)
  await uploadFiles(page, [createPdfFile('proof.pdf')])
  await expect(getFileRow(page, 'proof.pdf')).toContainText('attached')
  await prepareRelease(page, payout)
  await getReleaseButton(page).click()
  await expect(getReleasedMessage(page)).toBeVisible()
  expect((await sandbox.journal(payout.id)).map(({ operation }) => operation)).toEqual([
    'payouts.authorize',
    'payouts.release',
  ])
})

test('a reviewer approves a paykey', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const { paykey } = await sandbox.makePayout({ paykey_status: 'review', status: 'on_hold' })
  const page = await signIn('reviewer')
  await goTo(page, recordPath('sandbox', 'paykeys', paykey))
  const checks = page.getByRole('list', { name: 'Checks' }).first()
  await expect(checks.getByText('Loading:')).toHaveCount(0)
  const approval = await openAndFillDecision(page, 'Approve…', 'Owner matches')
  await checkAllBoxes(approval)
  await approval.getByRole('button', { name: /^Approve .*\d{4}$/ }).click()
  await expect(getTimelineList(page)).toContainText('Owner matched: ')
  expect(await readPaykeyStatus(page, paykey)).toBe('active')
})

test('an admin unblocks a paykey', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const { paykey } = await sandbox.makePayout({ paykey_status: 'blocked', status: 'paid' })
  const page = await signIn('admin')
  await goTo(page, recordPath('sandbox', 'paykeys', paykey))
  await unblockPaykey(page, paykey)
})

test('a customer is created, and deleted on another person’s request', { tag: '@full' }, async ({
  signIn,
}) => {
  const operator = await signIn('operator')
  const name = createCustomerName()
  const id = await createCustomer(operator, name)
  await deleteCustomer(operator, await signIn('reviewer'), { id, name })
})

test('the limits of the account are shown, and a change is requested', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, deskPath('sandbox', '/limits'))
  await page
    .getByRole('main')
    .getByRole('link', { name: /Brightwater/ })
    .first()
    .click()
  const panel = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Charges', exact: true }) })
  await expect(panel).not.toContainText('$0.00 used of $2,000,000.00')
  await requestHigherLimit(page, 'Charges', '15,000.00')
})
