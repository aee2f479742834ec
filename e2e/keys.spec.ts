import { pages } from '@/lib/pages'
import { homePath, payoutsPath } from '@/lib/routes'
import { awake } from './awake'
import { factsRead, goTo, openList, openPayout } from './desk'
import { expect, test } from './fixtures'
import { expectSoundAt } from './look'

test('g and a letter goes to a page, ? lists the keys of this one, and both can be switched off', async ({ signIn }) => {
  const page = await signIn('viewer')
  await openList(page)
  await page.keyboard.press('g')
  await expect(page.getByText('Go to: press a letter')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL(homePath('sandbox'))
  await openList(page)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys on this page' })
  await expect(sheet.getByText('Next row')).toBeVisible()
  for (const { name } of pages) await expect(sheet.getByText(name, { exact: true })).toBeVisible()
  await sheet.getByLabel('Single-key shortcuts').uncheck()
  await expect(sheet.getByText('Next row')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  for (const key of ['g', 'h', '?', '/']) await page.keyboard.press(key)
  await expect(page).toHaveURL(payoutsPath('sandbox'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.reload()
  await awake(page)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Find or go to' })).toBeFocused()
})

test('the sheet of keys is accessible', async ({ signIn }) => {
  const page = await signIn('viewer')
  await openList(page, { search_text: 'no such payout' })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys on this page' })).toBeVisible()
  await expectSoundAt(page, 'wide')
})

test('the side bar is accessible as a rail', async ({ signIn }) => {
  const page = await signIn('viewer')
  await openList(page, { search_text: 'no such payout' })
  await page.getByRole('button', { name: /wider or narrower/ }).click()
  await expectSoundAt(page, 'wide')
})

test('the keys of an open record are on the sheet', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await factsRead(page)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keys on this page' })
  await expect(sheet.getByText('Release', { exact: true })).toBeVisible()
  await expect(sheet.getByText('Copy the payout id')).toBeVisible()
})

test('all pages stand in the side bar at 800 px height, as a rail, and in the drawer of a phone', async ({ signIn }) => {
  const page = await signIn('operator')
  await goTo(page, homePath('sandbox'))
  const nav = page.getByRole('navigation', { name: 'Desk' })
  const inSight = async () => {
    for (const { name } of pages) await expect(nav.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  await inSight()
  await page.getByRole('button', { name: /wider or narrower/ }).click()
  await inSight()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Pages' }).click()
  await inSight()
})
