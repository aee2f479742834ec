import type { Page } from '@playwright/test'
import { deskPath, editRecordPath, newRecordPath, recordPath } from '@/lib/routes'
import { linkBankAccount, makeAccount, sendWrite } from './accounts'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { changeSandboxState, fetchObjects } from './lookup'
import { getPersonOfPage } from './person'
import { chooseReason, getNoteField, getReasonField } from './reason'

type LinkedBankAccount = {
  id: string
  account_id: string | null
  status: string
  purposes: string[]
}

const getRecordArticle = (page: Page) => page.getByRole('article', { name: 'Linked bank account' })
const getChangeRegion = (page: Page) => page.getByRole('region', { name: 'Change' })
const fetchLinkedBankAccounts = (page: Page, status: string) =>
  fetchObjects<LinkedBankAccount>(page, '/linked_bank_accounts', `status=${status}&page_size=100`)

async function fillBankNumbers(page: Page, accountNumber = '900012345678'): Promise<void> {
  await page.getByLabel('Routing number').fill('021000021')
  await page.getByLabel('Account number', { exact: true }).fill(accountNumber)
  await page.getByLabel('Confirm account number').fill(accountNumber)
}

test('a platform bank account is linked, and then permanently canceled after its digits are typed', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'linked_bank_accounts'))
  await page.getByLabel('Belongs to').selectOption({ label: 'The platform' })
  await page.getByLabel('Account holder').fill('Meadowlark Platform')
  await page.getByLabel('Routing number').fill('021000012')
  await page.getByLabel('Account number', { exact: true }).fill('9000 1234 5678')
  await page.getByLabel('Confirm account number').fill('900012345679')
  await page.getByRole('button', { name: 'Link bank account ••••5678' }).click()
  await expect(page.getByLabel('Routing number')).toHaveAccessibleDescription(/one digit is wrong/)
  await expect(page.getByLabel('Confirm account number')).toHaveAccessibleDescription(
    'Must match the number above.',
  )
  await expect(page.getByText('Choose at least one purpose')).toBeVisible()
  await expect(getReasonField(page)).toHaveAccessibleDescription('Choose a reason and add a note.')
  await expectAccessible(page)
  await fillBankNumbers(page)
  await expect(page.getByText('JPMorgan Chase Bank')).toBeVisible()
  await page.getByLabel('Payouts').check()
  await chooseReason(page, 'Settlement setup')
  await page.getByRole('button', { name: 'Link bank account ••••5678' }).click()
  await expect(getRecordArticle(page)).toContainText('of the platform in SANDBOX')
  await expect(getRecordArticle(page)).toContainText('••••5678')
  const id = /linked-bank-accounts\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''

  await getChangeRegion(page).getByRole('button', { name: 'Cancel bank account…' }).click()
  const cancelButton = getChangeRegion(page).getByRole('button', { name: /^Cancel JPMORGAN/ })
  await cancelButton.click()
  await expect(
    getChangeRegion(page).getByLabel('Type the last four digits'),
  ).toHaveAccessibleDescription(/Does not match yet/)
  await expect(getReasonField(getChangeRegion(page))).toHaveAccessibleDescription(
    'Choose a reason and add a note.',
  )
  await chooseReason(getChangeRegion(page), 'Linked in error')
  await getChangeRegion(page).getByLabel('Type the last four digits').fill('5678')
  await cancelButton.click()
  await expect(getRecordArticle(page)).toContainText('Canceled before verification.')
  await expect(
    getChangeRegion(page).getByRole('button', { name: 'Correct' }),
  ).toHaveAccessibleDescription('This bank account is permanently canceled.')
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual([
    'linked_bank_accounts.create',
    'linked_bank_accounts.cancel',
  ])
})

test('a stuck bank account can be corrected, and one in verification cannot', {
  tag: '@full',
}, async ({ signIn, sandbox, sandboxUrl, deskUrl }) => {
  const [page, makerPage] = [await signIn('operator'), await signIn('admin')]
  const ownerAccount = await makeAccount(makerPage, deskUrl)
  const { id } = await linkBankAccount(makerPage, ownerAccount, deskUrl)
  await sendWrite(makerPage, 'POST', `/accounts/${ownerAccount.id}/simulate`, {}, { deskUrl })
  const path = recordPath('sandbox', 'linked_bank_accounts', id, { account: ownerAccount.account })
  await changeSandboxState(sandboxUrl, '/compliance', {
    kind: 'linked_bank_account',
    id,
    status: 'onboarding',
    reason: 'in_review',
  })
  await goTo(page, path)
  await expect(
    getChangeRegion(page).getByRole('button', { name: 'Correct' }),
  ).toHaveAccessibleDescription(/This bank account is being verified/)
  await changeSandboxState(sandboxUrl, '/compliance', {
    kind: 'linked_bank_account',
    id,
    status: 'onboarding',
    reason: 'stuck',
    message: 'The number is unknown to the bank',
  })
  await goTo(page, path)
  await expect(getRecordArticle(page)).toContainText('The number is unknown to the bank')
  await getChangeRegion(page).getByRole('button', { name: 'Correct' }).click()
  await expect(page).toHaveURL(/\/edit/)
  await page.getByLabel('Account holder').fill('Corrected Holder')
  await page.getByRole('button', { name: 'Save correction' }).click()
  await expect(page.getByLabel('Routing number')).toHaveAccessibleDescription(/Must be 9 digits/)
  expect(await sandbox.writes(id)).toEqual([])
  await fillBankNumbers(page, '880012344321')
  await chooseReason(page, 'Number corrected')
  await page.getByRole('button', { name: 'Save correction' }).click()
  await expect(getRecordArticle(page)).toContainText('••••4321')
  await expect(getRecordArticle(page)).toContainText('Corrected Holder')
})

test('a change by another person shows its author and time, on the page and in the form', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const [page, otherPersonPage] = [await signIn('operator'), await signIn('admin')]
  const { id: account_id } = await makeAccount(otherPersonPage, deskUrl)
  await goTo(otherPersonPage, newRecordPath('sandbox', 'linked_bank_accounts'))
  const bankNumbers = { routing_number: '021000021', account_number: '900012345678' }
  const bankAccount = await sendWrite<{ id: string }>(
    otherPersonPage,
    'POST',
    '/linked_bank_accounts',
    {
      account_id,
      bank_account: { ...bankNumbers, account_holder: 'Meadowlark Platform' },
      purposes: ['payouts'],
    },
  )
  const sendHolderCorrection = (account_holder: string) =>
    sendWrite(otherPersonPage, 'PUT', `/linked_bank_accounts/${bankAccount.id}`, {
      bank_account: { ...bankNumbers, account_holder },
    })

  await goTo(page, editRecordPath('sandbox', 'linked_bank_accounts', bankAccount.id))
  await page.getByLabel('Account holder').fill('Meadow Lark')
  await fillBankNumbers(page)
  await chooseReason(page, 'Number corrected')
  await sendHolderCorrection('Meadowlark Inc')
  await page.getByRole('button', { name: 'Save correction' }).click()
  const changeNotice = page
    .getByRole('status')
    .filter({ hasText: 'The linked bank account changed while this form was open' })
  await expect(changeNotice).toContainText(
    new RegExp(`Changed by ${getPersonOfPage(otherPersonPage).name}, .*“Entry error corrected: `),
  )
  await expect(page.getByLabel('Account holder')).toHaveValue('Meadow Lark')

  await goTo(page, recordPath('sandbox', 'linked_bank_accounts', bankAccount.id))
  await getChangeRegion(page).getByRole('button', { name: 'Cancel bank account…' }).click()
  await chooseReason(getChangeRegion(page), 'Linked in error')
  await getChangeRegion(page).getByLabel('Type the last four digits').fill('5678')
  await sendHolderCorrection('Meadowlark Co')
  await getChangeRegion(page)
    .getByRole('button', { name: /^Cancel JPMORGAN/ })
    .click()
  await expect(
    getChangeRegion(page).getByText('This changed since you opened it', { exact: true }),
  ).toBeVisible()
  await expect(getChangeRegion(page)).toContainText(
    `Changed by ${getPersonOfPage(otherPersonPage).name}, `,
  )
})

test('a typed account number is in no draft after its form is left', { tag: '@full' }, async ({
  signIn,
}) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'linked_bank_accounts'))
  await page.getByLabel('Account holder').fill('Half Done')
  await fillBankNumbers(page)
  await chooseReason(page, 'Settlement setup')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Link a bank account' }).click()
  await expect(page.getByLabel('Account holder')).toHaveValue('Half Done')
  await expect(getNoteField(page)).toHaveValue(
    'The account needs a bank account for settlement or billing.',
  )
  await expect(page.getByLabel('Account number', { exact: true })).toHaveValue('')
})

test('a purpose that is already served shows a warning, and a refusal appears at the purposes', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const chargesBankAccount = (await fetchLinkedBankAccounts(page, 'active')).find(
    ({ account_id, purposes }) => account_id !== null && purposes.includes('charges'),
  )
  await goTo(
    page,
    newRecordPath('sandbox', 'linked_bank_accounts', {
      account: `acct_${chargesBankAccount?.account_id}`,
    }),
  )
  await page.getByLabel('Account holder').fill('Somebody')
  await fillBankNumbers(page)
  await page.getByLabel('Charges').check()
  await chooseReason(page, 'Replaces another one')
  await expect(page.getByText(/^Charges are already served by/)).toBeVisible()
  await page.getByRole('button', { name: 'Link bank account ••••5678' }).click()
  await expect(page.getByText('another linked bank account already serves charges')).toBeVisible()
  await expect(page.getByLabel('Account holder')).toHaveValue('Somebody')
})

test('the form of a bank account that cannot be corrected is marked as unavailable', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const [activeLinkedAccount] = await fetchLinkedBankAccounts(page, 'active')
  await goTo(page, deskPath('sandbox', `/linked-bank-accounts/${activeLinkedAccount?.id}/edit`))
  await expect(page.getByText(/^Unavailable: This bank account is active/)).toBeVisible()
})
