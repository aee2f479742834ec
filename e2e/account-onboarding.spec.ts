import type { Page } from '@playwright/test'
import { homePath } from '@/lib/routes'
import {
  addRepresentative,
  getChecklistItem,
  linkBankAccount,
  makeAccount,
  openAccount,
} from './accounts'
import { getTimelineList, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'

const getActionsRegion = (page: Page) => page.getByRole('region', { name: 'Actions' })
const getCurrentStageItem = (page: Page) =>
  page.getByRole('list', { name: 'Stages' }).locator('[aria-current=step]')

test('a new account goes through the checklist, the terms and the stages', async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const newAccount = await makeAccount(page)
  await openAccount(page, newAccount)

  await expect(getChecklistItem(page, /No control person/)).toContainText('Missing')
  await expect(
    getChecklistItem(page, /No linked bank account/).getByRole('link', {
      name: 'Link a bank account',
    }),
  ).toHaveAttribute('href', `/sandbox/linked-bank-accounts/new?of=${newAccount.account}`)
  const submitButton = getActionsRegion(page).getByRole('button', {
    name: 'Submit for verification…',
  })
  await expect(submitButton).toHaveAttribute('aria-disabled', 'true')
  await expect(getActionsRegion(page)).toContainText('No control person')

  await addRepresentative(page, newAccount)
  await linkBankAccount(page, newAccount)
  await openAccount(page, newAccount)
  await expect(page.getByText('complete', { exact: true })).toBeVisible()
  await expect(submitButton).not.toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('o')
  const actionsArea = getActionsRegion(page)
  await expect(actionsArea.getByLabel('Accepted on')).toBeFocused()
  await actionsArea.getByLabel('URL of the agreement').fill('the terms')
  await actionsArea
    .getByRole('button', { name: `Submit ${newAccount.name} for verification` })
    .click()
  await expect(actionsArea.getByText('Must be a time like')).toBeVisible()
  await expect(actionsArea.getByText('Must be a web address')).toBeVisible()
  await expectAccessible(page)
  await actionsArea.getByRole('button', { name: 'Use current time' }).click()
  await actionsArea.getByLabel('URL of the agreement').fill('https://harbour.example.com/terms')
  await page.keyboard.press('Control+Enter')
  await expect(getCurrentStageItem(page)).toHaveText('Onboarding')
  await expect(getTimelineList(page)).toContainText('Submit an account for verification: done')

  // Simulates the last stage of the service's verification. The page then lists the fields that the
  // simulation changed.
  await page.getByRole('button', { name: 'Simulate active' }).click()
  const statusRow = page
    .getByRole('table', { name: 'What simulating active changed' })
    .getByRole('row', { name: 'Status' })
  await expect(statusRow).toContainText('OnboardingActive')
  await expect(getCurrentStageItem(page)).toHaveText('Active')
  await expect(page.getByRole('button', { name: 'Simulate active' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expect(submitButton).toHaveCount(0)
})

test('a recipe sends one request for each stage and shows the limits that apply', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const newAccount = await makeAccount(page)
  await openAccount(page, newAccount)
  await page.getByRole('button', { name: 'Run “Account stuck unverified”' }).click()
  await expect(
    page.getByRole('table', { name: 'What “Account stuck unverified” changed' }),
  ).toContainText('awaiting verification')
  await expect(
    page.getByRole('button', { name: 'Run “Account stuck unverified”' }),
  ).toHaveAccessibleDescription('This account is already onboarding.')

  const otherAccount = await makeAccount(page)
  await openAccount(page, otherAccount)
  await page.getByRole('button', { name: 'Run “Active account with limits”' }).click()
  const diffTable = page.getByRole('table', { name: 'What “Active account with limits” changed' })
  await expect(diffTable.getByRole('row', { name: 'Status' })).toContainText('CreatedActive')
  await expect(
    page.getByText('Limits in force: one charge up to $5,000.00, one payout up to $5,000.00.'),
  ).toBeVisible()
  expect((await sandbox.journal(otherAccount.id)).map((row) => row.operation)).toEqual([
    'accounts.create',
    'accounts.simulate',
    'accounts.simulate',
  ])
  const idempotencyKeys = (await sandbox.writes(otherAccount.id)).map((row) => row.idempotency_key)
  expect([idempotencyKeys.length, new Set(idempotencyKeys).size]).toEqual([2, 2])
})

test('a recipe stops at a refused stage and can continue from there', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const newAccount = await makeAccount(page)
  await openAccount(page, newAccount)
  await sandbox.fault({
    operation: 'accounts.simulate',
    match: newAccount.id,
    kind: 'status',
    status: 422,
  })
  const runButton = page.getByRole('button', { name: 'Run “Active account with limits”' })
  await runButton.click()
  await expect(getActionsRegion(page)).toContainText('The payments service refused this')
  await expect(getCurrentStageItem(page)).toHaveText('Created')
  await runButton.click()
  await expect(getCurrentStageItem(page)).toHaveText('Active')
})

test('a viewer sees what is missing and why the actions are disabled', { tag: '@full' }, async ({
  signIn,
}) => {
  const operatorPage = await signIn('operator')
  await goTo(operatorPage, homePath('sandbox'))
  const newAccount = await makeAccount(operatorPage)
  const page = await signIn('viewer')
  await openAccount(page, newAccount)
  await expect(getActionsRegion(page)).toContainText(
    'Only an operator or an admin can submit an account for verification',
  )
  await expect(page.getByRole('button', { name: 'Simulate active' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})
