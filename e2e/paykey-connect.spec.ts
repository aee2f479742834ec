import { connectBankAccountPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import {
  createAccountNumber,
  createCustomerWithPaidPayout,
  fetchServiceData,
  fillBankNumbers,
  getConnectedMessage,
  readPaykeyId,
  readPaykeyStatus,
  selectSandboxOutcome,
} from './paykey-desk'

test('bank details are typed twice, validated, and kept out of drafts and the URL', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const { customer, account, name } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, connectBankAccountPath('sandbox', { customer, account, way: 'bank' }))
  await expect(page.getByText(`Connects a bank account of ${name}`)).toBeVisible()
  const accountNumber = createAccountNumber()
  await fillBankNumbers(page, accountNumber)
  await page.getByLabel('Routing number').fill('021000022')
  await page.getByLabel('Confirm account number', { exact: true }).fill(`${accountNumber}1`)
  const connectButton = page.getByRole('button', { name: 'Connect the bank account' })
  await connectButton.click()
  await expect(page.getByText('Not a routing number: one digit is wrong.')).toBeVisible()
  await expect(page.getByText('Must match the number above.')).toBeVisible()

  await fillBankNumbers(page, accountNumber)
  await connectButton.click()
  await expect(getConnectedMessage(page)).toContainText('Connected and active')
  expect(await fetchServiceData(page, `/paykeys/${await readPaykeyId(page)}`)).toMatchObject({
    source: 'bank_account',
    status: 'active',
  })
  expect(page.url()).not.toContain(accountNumber)
  await getConnectedMessage(page).getByRole('button', { name: 'Connect another' }).click()
  await expect(page.getByLabel('Account number', { exact: true })).toHaveValue('')
  expect(await page.content()).not.toContain(accountNumber)
})

test('a refusal of the service appears at its field, and the entries stay', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const { customer, account } = await createCustomerWithPaidPayout(page, sandbox)
  const externalId = `ref-${createAccountNumber()}`
  for (const round of ['first', 'second']) {
    await goTo(page, connectBankAccountPath('sandbox', { customer, account, way: 'bank' }))
    await fillBankNumbers(page, createAccountNumber())
    await page.getByText('Options: reference, verification, sandbox outcome').click()
    await page.getByLabel('External ID').fill(externalId)
    await page.getByText('Options: reference, verification, sandbox outcome').click()
    await expect(page.getByLabel('External ID')).toBeHidden()
    await page.getByRole('button', { name: 'Connect the bank account' }).click()
    if (round === 'first') await expect(getConnectedMessage(page)).toBeVisible()
  }
  await expect(page.getByLabel('External ID')).toHaveAccessibleDescription(
    /is the reference of another paykey of this account/,
  )
  await expect(page.getByText('is the reference of another paykey of this account')).toHaveCount(1)
  await expect(page.getByLabel('External ID')).toBeVisible()
  await expect(page.getByLabel('Routing number')).toHaveValue('021000021')
  await expect(page.getByLabel('Account number', { exact: true })).not.toHaveValue('')
})

test('a token connects a paykey, which may be in review', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  const { customer, account } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, connectBankAccountPath('sandbox', { customer, account, way: 'token' }))
  await page.getByLabel('Processor token').fill(`processor-${createAccountNumber()}`)
  await selectSandboxOutcome(page, 'review')
  await page.getByRole('button', { name: 'Connect through Plaid' }).click()
  await expect(getConnectedMessage(page)).toContainText('Connected, in review')
  const id = await readPaykeyId(page)
  expect(await readPaykeyStatus(page, id)).toBe('review')
  await getConnectedMessage(page).getByRole('button', { name: 'Connect another' }).click()
  await page.getByLabel('Where the token comes from').selectOption('Tokenized account number')
  await page.getByLabel('Routing number').fill('021000021')
  await page.getByLabel('Tokenized number', { exact: true }).fill(createAccountNumber())
  await page.getByRole('button', { name: 'Connect the tokenized number' }).click()
  await expect(getConnectedMessage(page)).toContainText('Connected')
})

test('a rejected paykey is shown as such, and one in verification updates itself', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const { customer, account } = await createCustomerWithPaidPayout(page, sandbox)
  await goTo(page, connectBankAccountPath('sandbox', { customer, account, way: 'bank' }))
  await fillBankNumbers(page, createAccountNumber())
  await selectSandboxOutcome(page, 'rejected')
  await page.getByRole('button', { name: 'Connect the bank account' }).click()
  await expect(getConnectedMessage(page)).toContainText('Not accepted')
  await expect(
    getConnectedMessage(page).getByRole('link', { name: 'Create a charge' }),
  ).toHaveCount(0)
  await getConnectedMessage(page).getByRole('button', { name: 'Connect another' }).click()
  await fillBankNumbers(page, createAccountNumber())
  await page.getByText('Options: reference, verification, sandbox outcome').click()
  await page.getByLabel('Verification timing').selectOption('background')
  await page.getByRole('button', { name: 'Connect the bank account' }).click()
  await expect(getConnectedMessage(page)).toContainText('Connected, verification running')
  await expect(getConnectedMessage(page)).toContainText('Connected and active')
})

test('a lost response is settled by a retry and leads to the only new paykey', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  // Uses a separate account: a write with an unknown outcome blocks all of this person's forms for
  // bank connections in the same account.
  const { account, customer: madeCustomer } = await makeAccountWithCustomer(page, deskUrl)
  const customerId = madeCustomer.id
  const countPaykeys = async () =>
    (
      await fetchServiceData<unknown[]>(
        page,
        '/paykeys',
        `customer_id=${customerId}&page_size=1000`,
      )
    ).length
  const paykeyCountBefore = await countPaykeys()
  await goTo(
    page,
    connectBankAccountPath('sandbox', { customer: customerId, account, way: 'bank' }),
  )
  await fillBankNumbers(page, createAccountNumber())
  await sandbox.fault({
    operation: 'bridge.bank_account',
    match: customerId,
    kind: 'status',
    status: 500,
    body: 'none',
    at: 'after',
    count: null,
  })
  const connectBankButton = page.getByRole('button', { name: 'Connect the bank account' })
  await connectBankButton.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Outcome unknown' })).toBeVisible()
  await expect(connectBankButton).toHaveAccessibleDescription(
    'You asked to connect a bank account, and that is still in progress.',
  )
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(getConnectedMessage(page)).toContainText('Connected and active')
  expect(await countPaykeys()).toBe(paykeyCountBefore + 1)
})
