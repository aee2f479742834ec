import { listPath, newRecordPath, recordPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import { getTimelineList, goTo, listAccounts } from './desk'
import { expect, test } from './fixtures'
import {
  checkPlanCheckboxes,
  clickReview,
  fillPayment,
  getPaymentPlanRegion,
  openPaymentForm,
  readCreatedPaymentId,
} from './new-payment'
import { getNoteField, getReasonField } from './reason'

test('a charge is found by customer name, reviewed in a sentence, and sent once by a double click', async ({
  signIn,
  sandbox,
}) => {
  const otherCharge = await sandbox.makeCharge({ status: 'paid' })
  const page = await signIn('operator')
  await openPaymentForm(page, 'charge', { account: otherCharge.account })
  await expect(page.getByLabel('Find a bank account')).toBeFocused()
  await page.getByLabel('Find a bank account').fill(otherCharge.customer)
  // Chooses a bank account that is not disabled. Other tests connect bank accounts to the same
  // customer, and some of those are refused and shown disabled.
  await page
    .getByRole('option', { name: otherCharge.customer, disabled: false })
    .filter({ hasNotText: 'Show bank accounts' })
    .first()
    .click()
  await expect(page.getByLabel('Amount, USD')).toBeFocused()
  await expect(page.getByText(otherCharge.customer, { exact: true })).toBeVisible()
  await fillPayment(page, 'charge', '123.45')
  await expect(page.getByText('$123.45', { exact: true })).toBeVisible()
  const suggestedExternalId = await page.getByLabel('External ID').inputValue()
  expect(suggestedExternalId).toMatch(/^charge-\d{8}-[0-9a-f]{8}$/)

  await clickReview(page, 'charge')
  await expect(getPaymentPlanRegion(page)).toBeFocused()
  await expect(getPaymentPlanRegion(page)).toContainText(
    /Charge \$123\.45 from .* for .* in SANDBOX, on the statement as “Rent for April”\./,
  )
  await expect(getPaymentPlanRegion(page)).toContainText(
    'Reason: The charge is due under the authorization of the customer.',
  )
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Charge $123.45' }).dblclick()
  const id = await readCreatedPaymentId(page, 'charge')
  await expect(page.getByRole('heading', { name: /Charge of \$123\.45/ })).toBeVisible()
  await expect(getTimelineList(page)).toContainText(
    'Payment due: The charge is due under the authorization of the customer.',
  )
  const chargeResponse = await page.request.get(
    `/api/sandbox/v1/charges/${id}?account=${otherCharge.account}`,
  )
  expect(await chargeResponse.json()).toMatchObject({
    data: { amount: '12345', external_id: suggestedExternalId, consent_type: 'internet' },
  })
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual(['charges.create'])
  const searchResponse = await page.request.get(
    `/api/sandbox/v1/payments?external_id=${suggestedExternalId}&account=${otherCharge.account}`,
  )
  expect(await searchResponse.json()).toMatchObject({ meta: { total_items: 1 } })
})

test('a payout to a bank account from a link is created on hold', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const { account, paykey, customer } = await sandbox.makePayout({ status: 'paid', amount: 77 })
  const page = await signIn('operator')
  await openPaymentForm(page, 'payout', { account, paykey })
  await expect(page.getByText(customer, { exact: true })).toBeVisible()
  await expect(page.getByLabel('Consent')).toHaveCount(0)
  await fillPayment(page, 'payout', '20')
  await page.getByLabel('Put on hold at creation').check()
  await page.getByLabel('Reason for the hold').fill('The contract has to be checked first')
  await clickReview(page, 'payout')
  await expect(getPaymentPlanRegion(page)).toContainText('The payment is on hold from its creation')
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Pay out $20.00' }).click()
  const id = await readCreatedPaymentId(page, 'payout')
  const payoutArticle = page.getByRole('article', { name: 'Payout' })
  await expect(payoutArticle).toContainText(
    'Held by a user at creation: “The contract has to be checked first”',
  )
  await expect(payoutArticle).not.toContainText('risk engine')
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual(['payouts.create'])
})

test('without a scope the account comes from the bank account or has to be chosen first', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { account, paykey } = await sandbox.makePayout({ status: 'paid' })
  const page = await signIn('operator')
  const chargeAccount = (await listAccounts(page)).find(({ id }) => id === account)
  await openPaymentForm(page, 'charge', { paykey })
  await expect(page.getByText(`for ${chargeAccount?.name} in SANDBOX`)).toBeVisible()
  await goTo(page, newRecordPath('sandbox', 'charges'))
  await page.getByLabel('Which account?').fill(chargeAccount?.name ?? '')
  await page
    .getByRole('list', { name: 'Accounts' })
    .getByRole('link', { name: chargeAccount?.name })
    .click()
  await expect(page).toHaveURL(newRecordPath('sandbox', 'charges', { account }))
  await expect(page.getByLabel('Amount, USD')).toBeVisible()
})

test('missing or invalid values are reported at their fields, nothing is sent, and the entries stay', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { account, paykey } = await sandbox.makeCharge({ status: 'paid' })
  const page = await signIn('operator')
  await openPaymentForm(page, 'charge', { account })
  await page.getByLabel('Payment date').fill('2020-01-31')
  await page.getByLabel('Amount, USD').fill('a lot')
  await clickReview(page, 'charge')
  await expect(page.getByLabel('Find a bank account')).toHaveAccessibleDescription(
    /Choose a bank account/,
  )
  await expect(page.getByLabel('Amount, USD')).toHaveAccessibleDescription(
    /Must be an amount like 1,250\.00/,
  )
  await expect(page.getByLabel('Payment date')).toHaveAccessibleDescription(/has passed/)
  await expect(page.getByLabel('Consent')).toHaveAccessibleDescription(
    /Choose how the customer authorized/,
  )
  await expect(page.getByLabel('Description')).toHaveAccessibleDescription(
    /Enter the text for the bank statement/,
  )
  await expect(page.getByLabel('IP address of the customer’s device')).toHaveAccessibleDescription(
    /Enter the address/,
  )
  await expect(page.getByLabel('Amount, USD')).toHaveValue('a lot')
  await expect(getReasonField(page)).toHaveAccessibleDescription('Choose a reason and add a note.')
  await expect(page.getByText(/add a note/i)).toHaveCount(1)

  await openPaymentForm(page, 'charge', { account, paykey })
  await fillPayment(page, 'charge', '12')
  const existingCharge = await sandbox.makeCharge({ status: 'paid' })
  await page.getByLabel('External ID').fill(existingCharge.externalId)
  await clickReview(page, 'charge')
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Charge $12.00' }).click()
  await expect(page.getByLabel('External ID')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('External ID')).toHaveValue(existingCharge.externalId)
  await expect(page.getByLabel('Amount, USD')).toHaveValue('12')
})

for (const paykey_status of ['review', 'blocked', 'inactive']) {
  test(`a bank account that is ${paykey_status} is shown and cannot be used`, {
    tag: '@full',
  }, async ({ signIn, sandbox }) => {
    const { account, paykey, customer } = await sandbox.makePayout({
      status: 'paid',
      paykey_status,
    })
    const page = await signIn('operator')
    await openPaymentForm(page, 'payout', { account, paykey })
    await fillPayment(page, 'payout', '10')
    await expect(page.getByText(customer, { exact: true })).toBeVisible()
    await clickReview(page, 'payout')
    await expect(page.getByText(/^(In review|Blocked|Inactive).*:/).first()).toBeVisible()
    await expect(getPaymentPlanRegion(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Choose another' }).click()
    await page.getByLabel('Find a bank account').fill(customer)
    const paykeyPath = `/api/sandbox/v1/paykeys/${paykey}?account=${account}`
    const paykeyResponse = await page.request.get(paykeyPath)
    const { data } = (await paykeyResponse.json()) as { data: { label: string } }
    const lastFour = data.label.slice(-4)
    const bankAccountOption = page.getByRole('option', { name: lastFour }).last()
    await expect(bankAccountOption).toBeDisabled()
  })
}

test('a duplicate requires a tick before it is sent', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const { account, paykey } = await sandbox.makeCharge({ status: 'paid', amount: 4_321 })
  const page = await signIn('operator')
  await openPaymentForm(page, 'charge', { account, paykey })
  await fillPayment(page, 'charge', '43.21')
  await clickReview(page, 'charge')
  await expect(
    getPaymentPlanRegion(page).getByRole('checkbox', {
      name: 'Another payment of the same amount was found.',
    }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Charge $43.21' }).click()
  await expect(getPaymentPlanRegion(page).getByRole('alert')).toContainText(
    'Check each box to continue.',
  )
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Charge $43.21' }).click()
  await readCreatedPaymentId(page, 'charge')
})

test('a person without rights finds the action disabled in the list and the form', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { account, paykey } = await sandbox.makeCharge({ status: 'paid' })
  const page = await signIn('reviewer')
  await openPaymentForm(page, 'charge', { account, paykey })
  const button = page.getByRole('button', { name: 'Review the charge…' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription(
    'Only an operator or an admin can create a charge.',
  )
  await goTo(page, listPath('sandbox', 'charges', { account }))
  await expect(page.getByRole('button', { name: 'New charge' })).toHaveAccessibleDescription(
    'Only an operator or an admin can create a charge.',
  )
})

test('offline, nothing can be sent, and the entries stay', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const { account, paykey } = await sandbox.makeCharge({ status: 'paid', amount: 99 })
  const page = await signIn('operator')
  await openPaymentForm(page, 'charge', { account, paykey })
  await fillPayment(page, 'charge', '55')
  await clickReview(page, 'charge')
  await checkPlanCheckboxes(page)
  await page.context().setOffline(true)
  const chargeButton = page.getByRole('button', { name: 'Charge $55.00' })
  await expect(chargeButton).toBeDisabled()
  await expect(chargeButton).toHaveAccessibleDescription(/You are offline/)
  await page.context().setOffline(false)
  await expect(chargeButton).toBeEnabled()
  await chargeButton.click()
  await readCreatedPaymentId(page, 'charge')
})

test('a lost response is retried under the same key, and the charge is created once', async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const page = await signIn('operator')
  // Uses a separate account. While the outcome of a charge is unknown, the same person's other
  // charge forms in its account are blocked.
  const { id: ownAccountId } = await makeAccountWithCustomer(page, deskUrl)
  const { account, paykey } = await sandbox.makeCharge({
    status: 'paid',
    amount: 98,
    account_id: ownAccountId,
  })
  await openPaymentForm(page, 'charge', { account, paykey })
  await fillPayment(page, 'charge', '61')
  const externalId = await page.getByLabel('External ID').inputValue()
  await clickReview(page, 'charge')
  await checkPlanCheckboxes(page)
  await sandbox.fault({
    operation: 'charges.create',
    match: externalId,
    kind: 'status',
    status: 500,
    body: 'none',
    at: 'after',
    count: null,
  })
  await page.getByRole('button', { name: 'Charge $61.00' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Outcome unknown' })).toBeVisible({
    timeout: 15_000,
  })
  await expect(page.getByRole('button', { name: 'Charge $61.00' })).toBeDisabled()
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Check again' }).click()
  const id = await readCreatedPaymentId(page, 'charge')
  expect(await sandbox.journal(id)).toHaveLength(1)
  expect(page.url()).toContain(recordPath('sandbox', 'charges', id))
})

test('a reason with the customer’s name requires a tick, and going back keeps it', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { account, paykey, customer } = await sandbox.makePayout({ status: 'paid', amount: 88 })
  const page = await signIn('operator')
  await openPaymentForm(page, 'payout', { account, paykey })
  await fillPayment(page, 'payout', '31')
  await getNoteField(page).fill(`Agreed on the phone with ${customer} today.`)
  await clickReview(page, 'payout')
  await expect(
    getPaymentPlanRegion(page).getByRole('checkbox', { name: /part of the customer’s name/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Pay out $31.00' }).click()
  await expect(getPaymentPlanRegion(page).getByRole('alert')).toContainText(
    'Check each box to continue.',
  )
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(getNoteField(page)).toHaveValue(`Agreed on the phone with ${customer} today.`)
  await getNoteField(page).fill('The payout is due under the agreement.')
  await clickReview(page, 'payout')
  await checkPlanCheckboxes(page)
  await page.getByRole('button', { name: 'Pay out $31.00' }).click()
  await readCreatedPaymentId(page, 'payout')
})
