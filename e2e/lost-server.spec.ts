import type { Page } from '@playwright/test'
import { fillRelease, getDecisionRegion, openPayout, openPayoutList, reasonText } from './desk'
import { expect, test } from './fixtures'
import { failAllRequests } from './request-faults'

const getTableRows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const getPayoutArticle = (page: Page) => page.getByRole('article', { name: 'Payout' })
/**
 * Removes the errors that the browser logged about requests which the test blocked. All other
 * errors still fail the test.
 */
const removeRequestErrors = (troubles: string[]) => {
  const errorsToKeep = troubles.filter(
    (trouble) => !trouble.startsWith('Failed to load resource: '),
  )
  troubles.splice(0, troubles.length, ...errorsToKeep)
}
const getCustomersLink = (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name: 'Customers' }).first()
const getUnreachableMessage = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'The server cannot be reached.' })

for (const [faultKind, faultText] of [
  ['down', 'does not answer'],
  ['behind', 'is away behind what answers for it'],
] as const) {
  test(`a page of a server that ${faultText} leaves the list in place, and opens automatically or by button`, {
    tag: '@full',
  }, async ({ signIn, troubles }) => {
    const page = await signIn('viewer')
    await openPayoutList(page)
    const restoreRequests = await failAllRequests(page, faultKind)
    await getCustomersLink(page).click()
    await expect(getUnreachableMessage(page)).toBeVisible()
    await expect(getTableRows(page).first()).toBeVisible()
    await getUnreachableMessage(page).getByRole('button', { name: 'Try again' }).click()
    await expect(getUnreachableMessage(page)).toBeVisible()
    await expect(getTableRows(page).first()).toBeVisible()
    await expect(page).toHaveURL(/payouts/)
    await restoreRequests()
    await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
    await expect(getUnreachableMessage(page)).toHaveCount(0)
    removeRequestErrors(troubles)
  })
}

test('a record and its text stay while the server is unreachable', { tag: '@full' }, async ({
  signIn,
  sandbox,
  troubles,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await fillRelease(page)
  const restoreAllRequests = await failAllRequests(page, 'down')
  await getCustomersLink(page).click()
  await expect(getUnreachableMessage(page)).toBeVisible()
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(reasonText)
  // The banner must not push the decision out of the window.
  await expect(getDecisionRegion(page).getByRole('button', { name: /^Release/ })).toBeInViewport({
    ratio: 1,
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Paykeys' }).first().click()
  await expect(getPayoutArticle(page)).toBeVisible()
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(reasonText)
  await restoreAllRequests()
  await getUnreachableMessage(page).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Paykeys' })).toBeVisible()
  removeRequestErrors(troubles)
})

test('a row opened while the server is unreachable leaves the list in place and can be reloaded', {
  tag: '@full',
}, async ({ signIn, troubles }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await getTableRows(page).nth(1).getByRole('link').first().click()
  await expect(getPayoutArticle(page)).toBeVisible()
  await page.keyboard.press('Escape')
  const restoreServer = await failAllRequests(page, 'down')
  await getTableRows(page).nth(2).getByRole('link').first().click()
  await expect(page.getByRole('button', { name: 'Reload payout' })).toBeVisible()
  await expect(getTableRows(page).first()).toBeVisible()
  await restoreServer()
  // The refreshed list comes from Paydesk's own copy of the data. It does not reload the panel,
  // which needs a response of the service.
  const refreshResponse = page.waitForResponse((response) =>
    new URL(response.url()).searchParams.has('_rsc'),
  )
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await refreshResponse
  await expect(page.getByRole('status').filter({ hasText: 'Updating' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Reload payout' }).click()
  await expect(getPayoutArticle(page)).toBeVisible()
  removeRequestErrors(troubles)
})
