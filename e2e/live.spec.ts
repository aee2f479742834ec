import { randomUUID } from 'node:crypto'
import type { Page, Request } from '@playwright/test'
import { deskApiPath, eventsPath, listPath } from '@/lib/routes'
import { makeCustomer, makePlace } from './customer'
import { decideElsewhere, decisionOf, factsRead, goTo, openList, writeRelease } from './desk'
import { endSession, expect, test } from './fixtures'
import { openHome, rowsOf } from './home'
import { rows } from './lookup'
import { leadRequests } from './lost-line'

/** Goes somewhere that hears of changes from here on, and leaves a mark that no reload keeps. */
async function goToLive(page: Page, open: () => Promise<void>): Promise<void> {
  const following = page.waitForResponse((response) => new URL(response.url()).pathname === deskApiPath('sandbox', eventsPath))
  await open()
  expect((await following).status()).toBe(200)
  await page.evaluate(() => Object.assign(window, { opened: true }))
}

const isSamePage = (page: Page) => page.evaluate(() => 'opened' in window)

test('what one person releases, the open record of another shows, with what is typed there', async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await goToLive(page, () => openList(page, { account: payout.account, open: payout.id }))
  await factsRead(page)
  await writeRelease(page, 'Half of a sentence')
  await expect(page.getByRole('article')).not.toContainText('Scheduled')
  const note = decisionOf(page).getByLabel('Note', { exact: true })
  await note.evaluate((field: HTMLTextAreaElement) => {
    field.focus()
    field.setSelectionRange(5, 7)
  })
  const other = await signIn('admin')
  expect((await decideElsewhere(other, deskUrl, payout, 'release')).status()).toBe(200)
  await expect(page.getByRole('article')).toContainText('Scheduled')
  await expect(note).toBeFocused()
  await expect(note).toHaveValue('Half of a sentence')
  expect(await note.evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd])).toEqual([5, 7])
  expect(await isSamePage(page)).toBe(true)
})

test('an open list shows a release in its row, and leaves focus and what is typed where they are', async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const search = { account: payout.account, tab: 'all', search_text: payout.externalId }
  await goToLive(page, () => goTo(page, listPath('sandbox', 'payouts', search)))
  await expect(rows(page)).toContainText(['On hold'])
  const box = page.getByRole('searchbox', { name: 'Search payouts' })
  await box.fill('something else')
  const other = await signIn('admin')
  expect((await decideElsewhere(other, deskUrl, payout, 'release')).status()).toBe(200)
  await expect(rows(page)).not.toContainText(['On hold'])
  await expect(rows(page)).toHaveCount(1)
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('something else')
  expect(await isSamePage(page)).toBe(true)
})

test('rows that come are named, and shown when somebody asks for them', async ({ signIn, deskUrl }) => {
  const [page, other] = [await signIn('viewer'), await signIn('admin')]
  const name = `Live ${randomUUID().slice(0, 8)}`
  const first = await makeCustomer(other, deskUrl, { name })
  await goToLive(page, () => goTo(page, listPath('sandbox', 'customers', { account: first.account, tab: 'all', search_text: name })))
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('link').first().focus()
  const second = await makeCustomer(other, deskUrl, { name, account: first.account })
  const show = page.getByRole('button', { name: '1 new. Show' })
  await expect(show).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).getByRole('link').first()).toBeFocused()
  await show.click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('table')).toContainText(second.name)
  await expect(show).toHaveCount(0)
  expect(await isSamePage(page)).toBe(true)
})

test('on home what came is named, and shown when somebody asks for it', async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  // Of an account of its own: the queue of another may be longer than what home shows of it.
  const held = await sandbox.makePayout({ account_id: (await makePlace(page, deskUrl)).id })
  await goToLive(page, () => openHome(page, { account: held.account }))
  const queue = rowsOf(page, 'Held payouts').filter({ has: page.getByRole('link', { name: held.id.slice(-6) }) })
  await expect(queue).toHaveCount(1)
  await queue.getByRole('link').focus()
  const came = await sandbox.makePayout({ account_id: held.account.replace('acct_', ''), payment_date: '2020-01-02' })
  const show = page.getByRole('button', { name: /^1 new.*Show$/ })
  await expect(show).toBeVisible()
  await expect(queue.getByRole('link')).toBeFocused()
  const fresh = rowsOf(page, 'Held payouts').filter({ has: page.getByRole('link', { name: came.id.slice(-6) }) })
  await expect(fresh).toHaveCount(0)
  await show.click()
  await expect(fresh).toHaveCount(1)
  await expect(show).toHaveCount(0)
  expect(await isSamePage(page)).toBe(true)
})

test('the tabs of a browser share one connection, and the one that is left takes it over', async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  const open = new Set<Request>()
  const isFollowing = (request: Request) => new URL(request.url()).pathname === deskApiPath('sandbox', eventsPath)
  page.context().on('request', (request) => isFollowing(request) && open.add(request))
  page.context().on('requestfinished', (request) => open.delete(request))
  page.context().on('requestfailed', (request) => open.delete(request))
  await goToLive(page, () => goTo(page, listPath('sandbox', 'customers')))
  const second = await page.context().newPage()
  await openList(second, { account: payout.account, open: payout.id })
  await factsRead(second)
  const other = await signIn('admin')
  await decideElsewhere(other, deskUrl, payout, 'release')
  await expect(second.getByRole('article')).toContainText('Scheduled')
  expect([...open].map((request) => request.frame().page())).toEqual([page])
  const takenOver = second.waitForResponse((response) => isFollowing(response.request()))
  await page.close()
  expect((await takenOver).status()).toBe(200)
  await decideElsewhere(other, deskUrl, payout, 'hold')
  await expect(second.getByRole('article')).toContainText('On hold')
})

test('where no connection is had, a list is read again each half minute', async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await page.clock.install()
  await leadRequests(page, `*${deskApiPath('sandbox', eventsPath)}*`, `${deskUrl}/api/none`)
  const search = { account: payout.account, tab: 'all', search_text: payout.externalId }
  const refused = page.waitForResponse((response) => new URL(response.url()).pathname === deskApiPath('sandbox', eventsPath))
  await goTo(page, listPath('sandbox', 'payouts', search))
  expect((await refused).status()).toBe(404)
  await expect(rows(page)).toContainText(['On hold'])
  expect((await decideElsewhere(await signIn('admin'), deskUrl, payout, 'release')).status()).toBe(200)
  await page.clock.fastForward(30_000)
  await expect(rows(page)).not.toContainText(['On hold'])
  await expect(rows(page)).toHaveCount(1)
})

test('a session that ends takes the connection with it', async ({ signIn, sandbox }) => {
  const page = await signIn('viewer', { fresh: true })
  await goToLive(page, () => goTo(page, listPath('sandbox', 'customers')))
  const refused = page.waitForResponse((response) => new URL(response.url()).pathname === deskApiPath('sandbox', eventsPath))
  await endSession(page)
  // It is told nothing more, not even this.
  await sandbox.makePayout()
  expect((await refused).status()).toBe(401)
  expect(await isSamePage(page)).toBe(true)
})
