import { listPath, newRecordPath, recordPath } from '@/lib/routes'
import { fillDecision, getDecisionRegion, goTo, openPayment, waitForPaymentData } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible, measureLayoutShifts } from './look'
import { chooseReason } from './reason'

test('on a phone the charges are cards that open on their own page', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('viewer')
  await page.setViewportSize({ width: 390, height: 844 })
  await goTo(
    page,
    listPath('sandbox', 'charges', {
      account: newCharge.account,
      search_text: newCharge.externalId,
    }),
  )
  await page.getByRole('link', { name: newCharge.customer }).click()
  await expect(page).toHaveURL(new RegExp(`/charges/${newCharge.id}`))
  await expect(page.getByRole('article', { name: 'Charge' })).toBeVisible()
})

test('a refunded charge with its chain and its money flow', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const newCharge = await sandbox.makeCharge({ status: 'paid' })
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await fillDecision(page, 'Refund…', 'Goodwill')
  await expectAccessible(page)
  await getDecisionRegion(page)
    .getByRole('button', { name: /^Refund \$\d/ })
    .click()
  await expect(
    page.getByRole('list', { name: 'Related payments' }).getByRole('listitem'),
  ).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Money flow' })).toContainText('Funding event')
  await expectAccessible(page)
})

test('an edit with an invalid value', { tag: '@full' }, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  await openPayment(page, newCharge)
  await getDecisionRegion(page).getByRole('button', { name: 'Edit…' }).click()
  await getDecisionRegion(page).getByRole('button', { name: 'Add a key' }).click()
  await getDecisionRegion(page).getByLabel('Amount', { exact: true }).fill('x')
  await getDecisionRegion(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(getDecisionRegion(page).getByLabel('Amount', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expectAccessible(page)
})

test('the form of a new charge, empty with errors and then as a sentence', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { account, paykey } = await sandbox.makeCharge({ status: 'paid', amount: 4_444 })
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'charges', { account }))
  await page.getByRole('button', { name: 'Review the charge…' }).click()
  await expect(page.getByLabel('Amount, USD')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await goTo(page, newRecordPath('sandbox', 'charges', { account, paykey }))
  await page.getByLabel('Amount, USD').fill('44.44')
  await page.getByLabel('Description').fill('Rent')
  await page.getByLabel('Consent').selectOption('internet')
  await page.getByLabel('Customer not present').check()
  await chooseReason(page, 'Payment is due')
  await page.getByRole('button', { name: 'Review the charge…' }).click()
  await expect(
    page.getByRole('region', { name: 'What will be sent' }).getByRole('checkbox').first(),
  ).toBeVisible()
  await expectAccessible(page)
})

test('the account selection of a new payout', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'payouts'))
  await expect(page.getByRole('list', { name: 'Accounts' }).getByRole('link').first()).toBeVisible()
  await expectAccessible(page)
})

test('a held charge shows the data for its decision at once, without layout shifts', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const newCharge = await sandbox.makeCharge()
  const page = await signIn('operator')
  const readShiftSum = await measureLayoutShifts(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await goTo(page, recordPath('sandbox', 'charges', newCharge.id, { account: newCharge.account }))
  await waitForPaymentData(page)
  const checksBox = await page.getByRole('list', { name: 'Checks' }).boundingBox()
  const decisionBox = await getDecisionRegion(page).boundingBox()
  expect((checksBox?.y ?? 0) + (checksBox?.height ?? 0)).toBeLessThanOrEqual(decisionBox?.y ?? 0)
  expect(await readShiftSum()).toBeLessThan(0.02)
})
