import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { listPath } from '@/lib/routes'
import { goTo, listAccounts } from './desk'
import { expect, test } from './fixtures'
import { getPerson } from './person'

const openPayments = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, listPath('sandbox', 'payments', search))

test('a view is saved, shared with a colleague who cannot remove it, renamed and removed', {
  tag: '@full',
}, async ({ signIn }) => {
  const [page, colleague] = [await signIn('operator'), await signIn('reviewer')]
  const name = `Big returns ${randomUUID().slice(0, 6)}`
  const viewsBar = (viewerPage: Page) => viewerPage.getByRole('navigation', { name: 'Views' })
  const viewLink = (viewerPage: Page, viewName: string) =>
    viewsBar(viewerPage).getByRole('link', { name: viewName })
  await openPayments(page, { tab: 'returned', min_amount: '100000', cols: 'state', page: '1' })
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  await expect(viewLink(page, name)).toHaveAttribute('aria-current', 'true')
  await openPayments(colleague)
  await expect(viewLink(colleague, name)).toHaveCount(0)

  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(`${name}, all`)
  const audienceSelect = page.getByRole('combobox', { name: 'Who sees it' })
  await expect(audienceSelect).toHaveAccessibleDescription('Its name and its filters')
  await expect(audienceSelect.getByRole('option')).toHaveText([
    'Only you',
    'People who see all accounts',
  ])
  await audienceSelect.selectOption('People who see all accounts')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(viewLink(page, `${name}, all shared`)).toBeVisible()

  await openPayments(colleague)
  await viewLink(colleague, `${name}, all by ${getPerson(page).name}`).click()
  await expect(colleague).toHaveURL(
    listPath('sandbox', 'payments', { cols: 'state', min_amount: '100000', tab: 'returned' }),
  )
  await expect(colleague.getByRole('columnheader', { name: 'Type', exact: true })).toHaveCount(0)
  await colleague.getByRole('button', { name: 'Change…' }).click()
  await expect(colleague.getByRole('button', { name: 'Remove', exact: true })).toBeDisabled()
  await expect(
    colleague.getByRole('button', { name: 'Remove', exact: true }),
  ).toHaveAccessibleDescription(/only they or an admin/)

  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(viewLink(page, name)).toHaveCount(0)
  await openPayments(colleague)
  await expect(viewsBar(colleague)).toBeVisible()
  await expect(viewLink(colleague, name)).toHaveCount(0)
})

test('another list has its own views, and a duplicate name shows an error at its field', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const name = `Blocked ${randomUUID().slice(0, 6)}`
  const saveView = async (tabId: string) => {
    await goTo(page, listPath('sandbox', 'paykeys', { tab: tabId }))
    await page.getByRole('button', { name: 'Save view…' }).click()
    await expect(page.getByRole('combobox', { name: 'Who sees it' })).toHaveCount(0)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.keyboard.press('Enter')
  }
  await saveView('blocked')
  await expect(page.getByRole('link', { name })).toHaveAttribute('aria-current', 'true')
  await saveView('active')
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
    'You already have a view with this name.',
  )
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
  await openPayments(page)
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})

test('a view within an account can be shared with its people and keeps its audience', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const name = `Of one account ${randomUUID().slice(0, 6)}`
  await openPayments(page)
  const [firstAccount] = await listAccounts(page)
  const { id = '', name: business = '' } = firstAccount ?? {}
  // The amount is random, because a page recognizes the current view by its filters: no other view
  // may have the same ones.
  const filters = { tab: 'returned', min_amount: String(Math.floor(Math.random() * 1e8)) }
  await openPayments(page, { account: id, ...filters })
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  const audience = page.getByRole('combobox', { name: 'Who sees it' })
  await expect(audience).toHaveValue('own')
  await expect(audience.getByRole('option')).toHaveText([
    'Only you',
    'People who see all accounts',
    `People with a role for ${business}`,
  ])
  await audience.selectOption(`People with a role for ${business}`)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const view = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: `${name} shared` })
  await expect(view).toHaveAttribute('aria-current', 'true')
  // Also if the URL has no account, the form shows the audience with which the view was saved.
  await openPayments(page, filters)
  await page.getByRole('button', { name: 'Change…' }).click()
  await expect(audience.locator('option:checked')).toHaveText(`People with a role for ${business}`)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(view).toHaveCount(0)
})
