import type { Page } from '@playwright/test'
import { deskPath, newPath, recordPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectSound } from './look'
import { objects, provider } from './lookup'
import { chooseReason, noteOf, reasonOf } from './reason'

type Linked = { id: string; account_id: string | null; status: string; purposes: string[] }

const record = (page: Page) => page.getByRole('article', { name: 'Linked bank account' })
const change = (page: Page) => page.getByRole('region', { name: 'Change' })
const linked = (page: Page, status: string) => objects<Linked>(page, '/linked_bank_accounts', `status=${status}&page_size=100`)

async function fillNumbers(page: Page, number = '900012345678'): Promise<void> {
  await page.getByLabel('Routing number').fill('021000021')
  await page.getByLabel('Account number', { exact: true }).fill(number)
  await page.getByLabel('Account number, once more').fill(number)
}

test('a bank account of the platform is linked, and canceled for good after its digits were typed', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  await goTo(page, newPath('sandbox', 'linked_bank_accounts'))
  await page.getByLabel('Belongs to').selectOption({ label: 'The platform itself' })
  await page.getByLabel('Account holder').fill('Meadowlark Platform')
  await page.getByLabel('Routing number').fill('021000012')
  await page.getByLabel('Account number', { exact: true }).fill('9000 1234 5678')
  await page.getByLabel('Account number, once more').fill('900012345679')
  await page.getByRole('button', { name: 'Link the bank account ••••5678' }).click()
  await expect(page.getByLabel('Routing number')).toHaveAccessibleDescription(/one of its digits is wrong/)
  await expect(page.getByLabel('Account number, once more')).toHaveAccessibleDescription('is not the same number')
  await expect(page.getByText('choose at least one purpose')).toBeVisible()
  await expect(reasonOf(page)).toHaveAccessibleDescription('choose a reason')
  await expectSound(page)
  await fillNumbers(page)
  await expect(page.getByText('JPMorgan Chase Bank')).toBeVisible()
  await page.getByLabel('Payouts').check()
  await chooseReason(page, 'Settlement setup')
  await page.getByRole('button', { name: 'Link the bank account ••••5678' }).click()
  await expect(record(page)).toContainText('of the platform itself in SANDBOX')
  await expect(record(page)).toContainText('••••5678')
  const id = /linked-bank-accounts\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''

  await change(page).getByRole('button', { name: 'Cancel it…' }).click()
  const cancel = change(page).getByRole('button', { name: /^Cancel JPMORGAN/ })
  await cancel.click()
  await expect(change(page).getByLabel('Type its last four digits')).toHaveAccessibleDescription(/does not match yet/)
  await expect(reasonOf(change(page))).toHaveAccessibleDescription('choose a reason')
  await chooseReason(change(page), 'Linked in error')
  await change(page).getByLabel('Type its last four digits').fill('5678')
  await cancel.click()
  await expect(record(page)).toContainText('Taken back before it was verified.')
  await expect(change(page).getByRole('button', { name: 'Correct' })).toHaveAccessibleDescription('It is canceled, for good.')
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual(['linked_bank_accounts.create', 'linked_bank_accounts.cancel'])
})

test('one the service is stuck on is corrected; while it is only being verified that is closed', async ({
  signIn,
  sandbox,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  const [waiting] = await linked(page, 'onboarding')
  const id = waiting?.id ?? ''
  await provider(sandboxUrl, '/compliance', { kind: 'linked_bank_account', id, status: 'onboarding', reason: 'in_review' })
  await goTo(page, recordPath('sandbox', 'linked_bank_accounts', id))
  await expect(change(page).getByRole('button', { name: 'Correct' })).toHaveAccessibleDescription(/It is being verified/)
  await provider(sandboxUrl, '/compliance', {
    kind: 'linked_bank_account',
    id,
    status: 'onboarding',
    reason: 'stuck',
    message: 'The number is unknown to the bank',
  })
  await goTo(page, recordPath('sandbox', 'linked_bank_accounts', id))
  await expect(record(page)).toContainText('The number is unknown to the bank')
  await change(page).getByRole('button', { name: 'Correct' }).click()
  await expect(page).toHaveURL(/\/edit/)
  await page.getByLabel('Account holder').fill('Corrected Holder')
  await page.getByRole('button', { name: 'Save the correction' }).click()
  await expect(page.getByLabel('Routing number')).toHaveAccessibleDescription(/must be 9 digits/)
  expect(await sandbox.writes(id)).toEqual([])
  await fillNumbers(page, '880012344321')
  await chooseReason(page, 'Number corrected')
  await page.getByRole('button', { name: 'Save the correction' }).click()
  await expect(record(page)).toContainText('••••4321')
  await expect(record(page)).toContainText('Corrected Holder')
})

test('a number that was typed is in no draft once its form is left', async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, newPath('sandbox', 'linked_bank_accounts'))
  await page.getByLabel('Account holder').fill('Half Done')
  await fillNumbers(page)
  await chooseReason(page, 'Settlement setup')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Link a bank account' }).click()
  await expect(page.getByLabel('Account holder')).toHaveValue('Half Done')
  await expect(noteOf(page)).toHaveValue('The account needs a bank account for settlement or billing.')
  await expect(page.getByLabel('Account number', { exact: true })).toHaveValue('')
})

test('a purpose that is served already is warned of, and the refusal stands at the purposes', async ({ signIn }) => {
  const page = await signIn('operator')
  const taken = (await linked(page, 'active')).find(({ account_id, purposes }) => account_id !== null && purposes.includes('charges'))
  await goTo(page, newPath('sandbox', 'linked_bank_accounts', { account: `acct_${taken?.account_id}` }))
  await page.getByLabel('Account holder').fill('Somebody')
  await fillNumbers(page)
  await page.getByLabel('Charges').check()
  await chooseReason(page, 'Replaces another one')
  await expect(page.getByText(/^Charges are served by .* already/)).toBeVisible()
  await page.getByRole('button', { name: 'Link the bank account ••••5678' }).click()
  await expect(page.getByText('another linked bank account already serves charges')).toBeVisible()
  await expect(page.getByLabel('Account holder')).toHaveValue('Somebody')
})

test('the form of one that cannot be corrected says so before anything is typed', async ({ signIn }) => {
  const page = await signIn('operator')
  const [active] = await linked(page, 'active')
  await goTo(page, deskPath('sandbox', `/linked-bank-accounts/${active?.id}/edit`))
  await expect(page.getByText(/^Closed: It is active/)).toBeVisible()
})
