import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { listPath } from '@/lib/routes'
import { goTo, listAccounts } from './desk'
import { expect, test } from './fixtures'
import { getPersonOfPage } from './person'

const openPaymentList = (page: Page, search: Record<string, string> = {}) =>
  goTo(page, listPath('sandbox', 'payments', search))

test('a view is saved, shared with a colleague who cannot remove it, renamed and removed', {
  tag: '@full',
}, async ({ signIn }) => {
  const [page, colleague] = [await signIn('operator'), await signIn('reviewer')]
  const savedViewName = `Big returns ${randomUUID().slice(0, 6)}`
  const getViewsBar = (viewerPage: Page) => viewerPage.getByRole('navigation', { name: 'Views' })
  const getSavedViewLink = (viewerPage: Page, viewName: string) =>
    getViewsBar(viewerPage).getByRole('link', { name: viewName })
  await openPaymentList(page, { tab: 'returned', min_amount: '100000', cols: 'state', page: '1' })
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(savedViewName)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  await expect(getSavedViewLink(page, savedViewName)).toHaveAttribute('aria-current', 'true')
  await openPaymentList(colleague)
  await expect(getSavedViewLink(colleague, savedViewName)).toHaveCount(0)

  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(`${savedViewName}, all`)
  const viewAudienceCombobox = page.getByRole('combobox', { name: 'Who sees it' })
  await expect(viewAudienceCombobox).toHaveAccessibleDescription('Its name and its filters')
  await expect(viewAudienceCombobox.getByRole('option')).toHaveText([
    'Only you',
    'People who see all accounts',
  ])
  await viewAudienceCombobox.selectOption('People who see all accounts')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(getSavedViewLink(page, `${savedViewName}, all shared`)).toBeVisible()

  await openPaymentList(colleague)
  await getSavedViewLink(
    colleague,
    `${savedViewName}, all by ${getPersonOfPage(page).name}`,
  ).click()
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
  await expect(getSavedViewLink(page, savedViewName)).toHaveCount(0)
  await openPaymentList(colleague)
  await expect(getViewsBar(colleague)).toBeVisible()
  await expect(getSavedViewLink(colleague, savedViewName)).toHaveCount(0)
})

test('another list has its own views, and a duplicate name shows an error at its field', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const blockedViewName = `Blocked ${randomUUID().slice(0, 6)}`
  const saveView = async (tabId: string) => {
    await goTo(page, listPath('sandbox', 'paykeys', { tab: tabId }))
    await page.getByRole('button', { name: 'Save view…' }).click()
    await expect(page.getByRole('combobox', { name: 'Who sees it' })).toHaveCount(0)
    await page.getByLabel('Name', { exact: true }).fill(blockedViewName)
    await page.keyboard.press('Enter')
  }
  await saveView('blocked')
  await expect(page.getByRole('link', { name: blockedViewName })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await saveView('active')
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
    'You already have a view with this name.',
  )
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(blockedViewName)
  await openPaymentList(page)
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible()
  await expect(page.getByRole('link', { name: blockedViewName })).toHaveCount(0)
})

test('a view within an account can be shared with its people and keeps its audience', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('operator')
  const accountViewName = `Of one account ${randomUUID().slice(0, 6)}`
  await openPaymentList(page)
  const [firstAccount] = await listAccounts(page)
  const { id = '', name: business = '' } = firstAccount ?? {}
  // The amount is random, because a page recognizes the current view by its filters: no other view
  // may have the same ones.
  const filters = { tab: 'returned', min_amount: String(Math.floor(Math.random() * 1e8)) }
  await openPaymentList(page, { account: id, ...filters })
  await page.getByRole('button', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(accountViewName)
  const audienceCombobox = page.getByRole('combobox', { name: 'Who sees it' })
  await expect(audienceCombobox).toHaveValue('own')
  await expect(audienceCombobox.getByRole('option')).toHaveText([
    'Only you',
    'People who see all accounts',
    `People with a role for ${business}`,
  ])
  await audienceCombobox.selectOption(`People with a role for ${business}`)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const sharedViewLink = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: `${accountViewName} shared` })
  await expect(sharedViewLink).toHaveAttribute('aria-current', 'true')
  // Even if the URL has no account, the form shows the audience with which the view was saved.
  await openPaymentList(page, filters)
  await page.getByRole('button', { name: 'Change…' }).click()
  await expect(audienceCombobox.locator('option:checked')).toHaveText(
    `People with a role for ${business}`,
  )
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(sharedViewLink).toHaveCount(0)
})
