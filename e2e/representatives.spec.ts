import type { Page } from '@playwright/test'
import { newPath, recordPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectSound } from './look'
import { objects, provider } from './lookup'
import { chooseReason } from './reason'

type Person = { id: string; account_id: string; name: string; relationship: { primary: boolean } }

const record = (page: Page) => page.getByRole('article', { name: 'Representative' })
const people = (page: Page) => objects<Person>(page, '/representatives', 'page_size=100&sort_by=created_at&sort_order=asc')

/** The people of the n-th account that has any; each test takes an account of its own. */
async function peopleOfAccount(page: Page, n: number): Promise<[Person, ...Person[]]> {
  const all = await people(page)
  const account = [...new Set(all.map((person) => person.account_id))][n]
  const [first, ...others] = all.filter((person) => person.account_id === account)
  if (!first) throw new Error('no account with representatives')
  return [first, ...others]
}

async function fillPerson(page: Page): Promise<void> {
  await page.getByLabel('Date of birth').fill('1980-02-28')
  await page.getByLabel('SSN, last 4 digits').fill('4821')
  await page.getByLabel('E-mail').fill('ines.calder@example.com')
  await page.getByLabel('Mobile').fill('+1 512 555 0199')
}

test('a second primary is warned of and refused at its tick; without it the person is added', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const [primary] = await peopleOfAccount(page, 0)
  await goTo(page, newPath('sandbox', 'representatives', { account: `acct_${primary.account_id}` }))
  await page.getByLabel('First name').fill('Ines')
  await page.getByLabel('Last name').fill('Calder')
  await fillPerson(page)
  await page.getByLabel('Primary').check()
  await expect(page.getByText(`${primary.name} is primary already`)).toBeVisible()
  await page.getByRole('button', { name: 'Add Ines Calder' }).click()
  await expect(page.getByText('another representative of this account is primary')).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Primary').uncheck()
  await page.getByLabel('Control').check()
  await page.getByRole('button', { name: 'Add Ines Calder' }).click()
  await expect(record(page).getByRole('heading', { level: 1 })).toHaveText('Ines Calder')
  await expect(record(page)).toContainText('Created: not handed to verification yet')
  const id = /representatives\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual(['representatives.create'])
})

test('an owner has to say how much, and owners of more than everything are noticed', async ({ signIn }) => {
  const page = await signIn('operator')
  const [first] = await peopleOfAccount(page, 1)
  await goTo(page, newPath('sandbox', 'representatives', { account: `acct_${first.account_id}` }))
  await page.getByLabel('Owner').check()
  await page.getByRole('button', { name: 'Add the representative' }).click()
  await expect(page.getByLabel('Owns, in percent')).toHaveAccessibleDescription('say how much an owner owns')
  await page.getByLabel('Owns, in percent').fill('90')
  await expect(page.getByText(/The owners would own [\d.]+ % together/)).toBeVisible()
})

test('a change asks for what is masked, never sends a mask, and is saved', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const [first] = await peopleOfAccount(page, 2)
  await goTo(page, recordPath('sandbox', 'representatives', first.id))
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/edit/)
  await page.getByLabel('Title').fill('Managing Director')
  const save = page.getByRole('button', { name: `Save ${first.name}` })
  await save.click()
  await expect(page.getByLabel('SSN, last 4 digits')).toHaveAccessibleDescription('must be the last 4 digits')
  await expect(page.getByLabel('Date of birth')).toBeFocused()
  await expect(page.getByLabel('E-mail')).toHaveValue('')
  expect(await sandbox.writes(first.id)).toEqual([])
  await expectSound(page)
  await fillPerson(page)
  await chooseReason(page, 'Role or ownership changed')
  await save.click()
  await expect(record(page)).toContainText('Managing Director')
  await expect(record(page)).toContainText('i•••@example.com')
  await expect(record(page)).toContainText('ROLE_CHANGED: The role or ownership of the representative in the business changed.')
  expect(await sandbox.writes(first.id)).toHaveLength(1)
})

test('what is masked is revealed for a reason where the account allows it, and says why where it does not', async ({
  signIn,
  sandboxUrl,
}) => {
  const page = await signIn('operator')
  const [first] = await peopleOfAccount(page, 3)
  await provider(sandboxUrl, '/configuration', { account_id: first.account_id, allow_data_unmask: false })
  await goTo(page, recordPath('sandbox', 'representatives', first.id))
  const reveal = record(page).getByRole('button', { name: /^Reveal…/ })
  await expect(reveal).toHaveAttribute('aria-disabled', 'true')
  await expect(reveal).toHaveAccessibleDescription(/allow_data_unmask is off/)
  await provider(sandboxUrl, '/configuration', { account_id: first.account_id, allow_data_unmask: true })
  await page.reload()
  await expect(reveal).toBeEnabled()
  await reveal.click()
  const form = page.getByRole('form', { name: /^Reveal/ })
  await form.getByLabel('Reason', { exact: true }).selectOption({ label: 'Check an identity' })
  await form.getByRole('button', { name: 'Reveal' }).click()
  await expect(record(page).getByText(/^\d{4}$/)).toBeVisible()
  await record(page).getByRole('button', { name: 'Hide now' }).click()
  await expect(record(page).getByText(/^\d{4}$/)).toHaveCount(0)
})
