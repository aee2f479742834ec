import type { Page } from '@playwright/test'
import { payoutsPath } from '@/lib/routes'
import {
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  openPayout,
  openPayoutList,
  reasonText,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { getPersonOfPage } from './person'
import { failScriptRequests, holdRequests } from './request-faults'

const getTableRows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const getPayoutArticle = (page: Page) => page.getByRole('article', { name: 'Payout' })
const getStatusMessage = (page: Page, text: string) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text })
/**
 * Removes the errors that the browser logged about scripts which the test blocked. All other errors
 * still fail the test.
 */
const removeScriptErrors = (troubles: string[]) => {
  const errorsToKeep = troubles.filter(
    (trouble) => !/^Failed to load resource: .*\/_next\/static\/|^ChunkLoadError: /.test(trouble),
  )
  troubles.splice(0, troubles.length, ...errorsToKeep)
}
const partNotLoadedText = 'This part could not be loaded.'
const getReloadButton = (page: Page) =>
  getStatusMessage(page, partNotLoadedText).getByRole('button', { name: 'Reload page' })

test('a row opened offline leaves the list in place, and a reload opens it online', {
  tag: '@full',
}, async ({ signIn, troubles }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await page.context().setOffline(true)
  await getTableRows(page).nth(1).getByRole('link').first().click()
  await expect(getStatusMessage(page, partNotLoadedText)).toBeVisible()
  await expect(getTableRows(page).first()).toBeVisible()
  await getTableRows(page).nth(2).getByRole('link').first().click()
  await expect(getStatusMessage(page, partNotLoadedText)).toBeVisible()
  await page.context().setOffline(false)
  await getReloadButton(page).click()
  await expect(getPayoutArticle(page)).toBeVisible()
  await expect(getTableRows(page).first()).toBeVisible()
  removeScriptErrors(troubles)
})

test('a record that could not be read offline is read when the connection is back', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await getTableRows(page).first().getByRole('link').first().click()
  await waitForPaymentData(page)
  const heading = page.getByRole('article', { name: 'Payout' }).getByRole('heading').first()
  const headingIdBefore = await heading.getAttribute('data-heading')
  await page.context().setOffline(true)
  await page.keyboard.press('j')
  const unreadableText = page.getByRole('main').getByText(/^The payout could not be read/)
  await expect(unreadableText).toBeVisible()
  await page.context().setOffline(false)
  await expect(unreadableText).toHaveCount(0)
  await expect(heading).not.toHaveAttribute('data-heading', headingIdBefore ?? '')
  await expect(heading).toHaveAttribute('data-heading', /./)
})

test('a menu opened before its script loads shows its content afterwards', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const continueHeldRequests = await holdRequests(page, '*/_next/static/*.js*')
  await page.goto(payoutsPath('sandbox'), { waitUntil: 'commit' })
  await page.getByRole('button', { name: getPersonOfPage(page).name }).click()
  const personMenuDialog = page.getByRole('dialog', { name: 'You and your settings' })
  await expect(personMenuDialog).toBeVisible()
  await continueHeldRequests()
  await expect(personMenuDialog).toContainText(getPersonOfPage(page).email)
})

test('a panel opened offline can be closed again', { tag: '@full' }, async ({
  signIn,
  troubles,
}) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  await page.context().setOffline(true)
  await getTableRows(page).nth(1).getByRole('link').first().click()
  await getStatusMessage(page, partNotLoadedText).getByRole('button', { name: 'Close' }).click()
  await expect(page).not.toHaveURL(/open=/)
  await expect(getStatusMessage(page, partNotLoadedText)).toHaveCount(0)
  await expect(getTableRows(page).first()).toBeVisible()
  removeScriptErrors(troubles)
})

for (const [faultKind, faultText] of [
  ['cut', 'fails on the way'],
  ['gone', 'is of an older version'],
] as const) {
  test(`a script that ${faultText} shows a reload button and does not reload automatically`, {
    tag: '@full',
  }, async ({ signIn, troubles }) => {
    const page = await signIn('viewer')
    await openPayoutList(page)
    const restoreRequests = await failScriptRequests(page, faultKind)
    await getTableRows(page).nth(1).getByRole('link').first().click()
    await expect(getStatusMessage(page, partNotLoadedText)).toBeVisible()
    await expect(getTableRows(page).first()).toBeVisible()
    await restoreRequests()
    await getReloadButton(page).click()
    await expect(getPayoutArticle(page)).toBeVisible()
    await expect(getTableRows(page).first()).toBeVisible()
    removeScriptErrors(troubles)
  })
}

test('a form whose script fails to load leaves the record in place, and typed text survives offline', {
  tag: '@full',
}, async ({ signIn, sandbox, troubles }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const restoreScriptRequests = await failScriptRequests(page, 'cut')
  await getDecisionRegion(page).getByRole('button', { name: 'Upload proof' }).click()
  await expect(getStatusMessage(page, partNotLoadedText)).toBeVisible()
  await getDecisionRegion(page).getByRole('button', { name: 'Release…' }).click()
  await expect(
    getDecisionRegion(page).getByRole('status').filter({ hasText: partNotLoadedText }),
  ).toBeVisible()
  await expect(getPayoutArticle(page)).toBeVisible()
  await restoreScriptRequests()
  await openPayout(page, payout)
  await fillRelease(page)

  await page.context().setOffline(true)
  await page.keyboard.press('Control+k')
  const paletteDialog = page.getByRole('dialog', { name: 'Find or go to' })
  await expect(paletteDialog.getByText(partNotLoadedText)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(reasonText)
  await getReleaseButton(page).click()
  await expect(getDecisionRegion(page)).toContainText('Released')
  removeScriptErrors(troubles)
})

test('offline, nothing leaves the page; the last requested page opens online', {
  tag: '@full',
}, async ({ signIn, sandbox, troubles }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await page.context().setOffline(true)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  const offlineNotice = page
    .getByRole('status')
    .filter({ hasText: 'The requested page opens when the connection is back.' })
  await expect(offlineNotice).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).first().click()
  await expect(getPayoutArticle(page)).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
  await expect(offlineNotice).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await openPayoutList(page)
  await page.context().setOffline(true)
  await getTableRows(page).nth(1).getByRole('link').first().click()
  await expect(getStatusMessage(page, partNotLoadedText)).toBeVisible()
  await page.context().setOffline(false)
  await getReloadButton(page).click()
  await expect(getPayoutArticle(page)).toBeVisible()
  removeScriptErrors(troubles)
})

test('offline, the list keeps its rows; another requested view opens online', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await openPayoutList(page)
  const allStatusLink = page
    .getByRole('navigation', { name: 'Statuses' })
    .getByRole('link', { name: /^All/ })
  await expect(allStatusLink).not.toHaveAttribute('aria-current')
  await page.context().setOffline(true)
  await allStatusLink.click()
  const offlineStrip = page
    .getByRole('status')
    .filter({ hasText: 'The requested page opens when the connection is back.' })
  await expect(offlineStrip).toBeVisible()
  await expect(getTableRows(page).first()).toBeVisible()
  await page.context().setOffline(false)
  await expect(allStatusLink).toHaveAttribute('aria-current')
  await expect(offlineStrip).toHaveCount(0)
})

test('a page whose scripts fail to load offers a reload', { tag: '@full' }, async ({
  signIn,
  sandbox,
  troubles,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  const restoreScripts = await failScriptRequests(page, 'cut')
  await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).first().click()
  await expect(getStatusMessage(page, 'This page could not be loaded.')).toBeVisible()
  await restoreScripts()
  await getStatusMessage(page, 'This page could not be loaded.')
    .getByRole('button', { name: 'Reload page' })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
  removeScriptErrors(troubles)
})
