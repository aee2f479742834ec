import type { Page } from '@playwright/test'
import { editRecordPath, newRecordPath, recordPath } from '@/lib/routes'
import { addRepresentative, makeAccount } from './accounts'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { changeSandboxState } from './lookup'
import { getPersonOfPage } from './person'
import { chooseReason } from './reason'

const getRepresentativeArticle = (page: Page) =>
  page.getByRole('article', { name: 'Representative' })
/**
 * Creates a new account with one representative, who is primary and has control. Needs `deskUrl`,
 * because `page` has not opened Paydesk yet.
 */
async function createRepresentative(page: Page, deskUrl: string, ownershipPercent?: number) {
  const account = await makeAccount(page, deskUrl)
  const { id } = (await addRepresentative(page, account, deskUrl, ownershipPercent)) as {
    id: string
  }
  return { id, account_id: account.id, name: 'Nadia Haddad' }
}

async function fillPersonalFields(page: Page): Promise<void> {
  await page.getByLabel('Date of birth').fill('1980-02-28')
  await page.getByLabel('SSN, last 4 digits').fill('4821')
  await page.getByLabel('Email').fill('ines.calder@example.com')
  await page.getByLabel('Mobile').fill('+1 512 555 0199')
}

test('a second primary representative is refused at its tick, and without the tick the person is added', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  const primaryRepresentative = await createRepresentative(page, deskUrl)
  await goTo(
    page,
    newRecordPath('sandbox', 'representatives', {
      account: `acct_${primaryRepresentative.account_id}`,
    }),
  )
  await page.getByLabel('First name').fill('Ines')
  await page.getByLabel('Last name').fill('Calder')
  await fillPersonalFields(page)
  await page.getByLabel('Primary').check()
  await expect(page.getByText(`${primaryRepresentative.name} is already primary`)).toBeVisible()
  await page.getByRole('button', { name: 'Add Ines Calder' }).click()
  await expect(page.getByText('another representative of this account is primary')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Primary').uncheck()
  await page.getByLabel('Control').check()
  await page.getByRole('button', { name: 'Add Ines Calder' }).click()
  await expect(getRepresentativeArticle(page).getByRole('heading', { level: 1 })).toHaveText(
    'Ines Calder',
  )
  await expect(getRepresentativeArticle(page)).toContainText(
    'Created: not submitted for verification yet',
  )
  const id = /representatives\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  expect((await sandbox.journal(id)).map((row) => row.operation)).toEqual([
    'representatives.create',
  ])
})

test('an owner requires a percentage, and a total over 100 percent shows a warning', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const ownerRepresentative = await createRepresentative(page, deskUrl, 20)
  await goTo(
    page,
    newRecordPath('sandbox', 'representatives', {
      account: `acct_${ownerRepresentative.account_id}`,
    }),
  )
  await page.getByLabel('Owner').check()
  await page.getByRole('button', { name: 'Add the representative' }).click()
  await expect(page.getByLabel('Ownership, percent')).toHaveAccessibleDescription(
    'Enter the ownership of the owner.',
  )
  await page.getByLabel('Ownership, percent').fill('90')
  await expect(page.getByText(/The owners would hold [\d.]+% together/)).toBeVisible()
})

test('an edit requires the masked fields again and never sends a mask', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const page = await signIn('operator')
  const firstRepresentative = await createRepresentative(page, deskUrl)
  await goTo(page, recordPath('sandbox', 'representatives', firstRepresentative.id))
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/edit/)
  await page.getByLabel('Title').fill('Managing Director')
  const saveButton = page.getByRole('button', { name: `Save ${firstRepresentative.name}` })
  await saveButton.click()
  await expect(page.getByLabel('SSN, last 4 digits')).toHaveAccessibleDescription(
    'Must be the last 4 digits.',
  )
  await expect(page.getByLabel('Date of birth')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('')
  expect(await sandbox.writes(firstRepresentative.id)).toEqual([])
  await expectAccessible(page)
  await fillPersonalFields(page)
  await chooseReason(page, 'Role or ownership changed')
  await saveButton.click()
  await expect(getRepresentativeArticle(page)).toContainText('Managing Director')
  await expect(getRepresentativeArticle(page)).toContainText('i•••@example.com')
  await expect(getRepresentativeArticle(page)).toContainText(
    'Role changed: The role or ownership of the representative in the business changed.',
  )
  expect(await sandbox.writes(firstRepresentative.id)).toHaveLength(1)
})

test('a change by another person shows its author and time, and the entries stay', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const [page, otherPage] = [await signIn('operator'), await signIn('admin')]
  const editedRepresentative = await createRepresentative(page, deskUrl)
  for (const personPage of [page, otherPage]) {
    await goTo(personPage, editRecordPath('sandbox', 'representatives', editedRepresentative.id))
    await fillPersonalFields(personPage)
    await chooseReason(personPage, 'Role or ownership changed')
  }
  await page.getByLabel('Title').fill('Chief of Staff')
  await otherPage.getByLabel('Title').fill('Treasurer')
  const getSaveButton = (formPage: Page) =>
    formPage.getByRole('button', { name: `Save ${editedRepresentative.name}` })
  await getSaveButton(otherPage).click()
  await expect(getRepresentativeArticle(otherPage)).toContainText('Treasurer')
  await getSaveButton(page).click()
  const changeNotice = page
    .getByRole('status')
    .filter({ hasText: 'The representative changed while this form was open' })
  await expect(changeNotice).toContainText(
    new RegExp(`Changed by ${getPersonOfPage(otherPage).name}, .*“Role changed: `),
  )
  await expect(page.getByLabel('Title')).toHaveValue('Chief of Staff')
})

test('masked data is revealed for a reason if the account allows it, and otherwise shows why not', {
  tag: '@full',
}, async ({ signIn, sandboxUrl, deskUrl }) => {
  const page = await signIn('operator')
  const representativeToReveal = await createRepresentative(page, deskUrl)
  await changeSandboxState(sandboxUrl, '/configuration', {
    account_id: representativeToReveal.account_id,
    allow_data_unmask: false,
  })
  await goTo(page, recordPath('sandbox', 'representatives', representativeToReveal.id))
  const revealButton = getRepresentativeArticle(page).getByRole('button', { name: /^Reveal…/ })
  await expect(revealButton).toHaveAttribute('aria-disabled', 'true')
  await expect(revealButton).toHaveAccessibleDescription(/allow_data_unmask is off/)
  await changeSandboxState(sandboxUrl, '/configuration', {
    account_id: representativeToReveal.account_id,
    allow_data_unmask: true,
  })
  await page.reload()
  await expect(revealButton).toBeEnabled()
  await revealButton.click()
  const revealForm = page.getByRole('form', { name: /^Reveal/ })
  await revealForm.getByLabel('Reason', { exact: true }).selectOption({ label: 'Identity check' })
  await revealForm.getByRole('button', { name: 'Reveal' }).click()
  await expect(getRepresentativeArticle(page).getByText(/^\d{4}$/)).toBeVisible()
  await getRepresentativeArticle(page).getByRole('button', { name: 'Hide now' }).click()
  await expect(getRepresentativeArticle(page).getByText(/^\d{4}$/)).toHaveCount(0)
})
