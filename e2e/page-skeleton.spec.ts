import type { Page } from '@playwright/test'
import { listPath, signInPath } from '@/lib/routes'
import { startWholeDesk, type WholeDesk } from '@/tests/harness/whole-desk'
import { expect, test } from './fixtures'
import { waitForHydration } from './wait-for-hydration'

const getMainRegion = (page: Page) => page.getByRole('main')
const getSkeletonText = (page: Page, noun: string) =>
  getMainRegion(page).getByText(`Loading the ${noun}…`)

/** Blocks Paydesk's reads of its payments table until `unlockMirrorPayments` is called. */
const lockMirrorPayments = ({ db }: WholeDesk) =>
  db.query('begin; lock table mirror_payments in access exclusive mode')
const unlockMirrorPayments = ({ db }: WholeDesk) => db.query('commit')

/**
 * Finds a payout by its id in the palette, blocks the reads of payments and then opens the payout.
 */
async function goToBlockedPayout(page: Page, wholeDesk: WholeDesk, id: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Find or go to' })
  await palette.getByRole('combobox', { name: 'Find or go to' }).fill(id)
  await expect(palette.getByRole('option', { name: /Payout/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await lockMirrorPayments(wholeDesk)
  await page.keyboard.press('Enter')
}

test('a record shows its skeleton before its data, and Back restores earlier pages', {
  tag: '@full',
}, async ({ page, started }) => {
  // Starts a separate Paydesk server, because the lock on the table would block other tests. The
  // start makes this test slow.
  test.slow()
  const wholeDesk = await started(startWholeDesk({ mirror: true }))
  const [first, second] = [
    await wholeDesk.sandbox.makePayout(),
    await wholeDesk.sandbox.makePayout(),
  ]
  await wholeDesk.mirrored([first.id, second.id])
  const payoutListPath = listPath('sandbox', 'payouts')
  await page.goto(wholeDesk.dashboard.url + signInPath(payoutListPath))
  await page.getByRole('button', { name: /^operator / }).click()
  await expect(
    getMainRegion(page).getByRole('heading', { level: 1, name: 'Payouts' }),
  ).toBeVisible()
  await waitForHydration(page)

  // Navigates from a list to one of its records.
  await goToBlockedPayout(page, wholeDesk, first.id)
  await expect(getSkeletonText(page, 'payout')).toBeVisible()
  await expect(getMainRegion(page).getByRole('heading', { level: 1, name: 'Payouts' })).toHaveCount(
    0,
  )
  await unlockMirrorPayments(wholeDesk)
  await expect(getMainRegion(page).getByRole('article')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(first.id))

  // Navigates from one payout to another.
  await goToBlockedPayout(page, wholeDesk, second.id)
  await expect(getSkeletonText(page, 'payout')).toBeVisible()
  await expect(getMainRegion(page).getByRole('article')).toHaveCount(0)
  await unlockMirrorPayments(wholeDesk)
  await expect(getMainRegion(page).getByRole('article')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(second.id))

  await lockMirrorPayments(wholeDesk)
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(first.id))
  await expect(getMainRegion(page).getByRole('article')).toBeVisible()
  await page.goBack()
  await expect(
    getMainRegion(page).getByRole('heading', { level: 1, name: 'Payouts' }),
  ).toBeVisible()
  await unlockMirrorPayments(wholeDesk)
})

test('a slow list shows its skeleton before its rows', { tag: '@full' }, async ({
  page,
  started,
}) => {
  // Starts a separate Paydesk server, because the lock on the table would block other tests. The
  // start makes this test slow.
  test.slow()
  const desk = await started(startWholeDesk({ mirror: true }))
  await page.goto(desk.dashboard.url + signInPath(listPath('sandbox', 'accounts')))
  await page.getByRole('button', { name: /^operator / }).click()
  await expect(
    getMainRegion(page).getByRole('heading', { level: 1, name: 'Accounts' }),
  ).toBeVisible()
  await waitForHydration(page)
  for (const [name, resource] of [
    ['Customers', 'customers'],
    ['Paykeys', 'paykeys'],
  ] as const) {
    await desk.db.query(`begin; lock table mirror_${resource} in access exclusive mode`)
    await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name }).click()
    await expect(getMainRegion(page).getByText('Loading the list…')).toBeAttached()
    await expect(getMainRegion(page).getByText(name, { exact: true })).toBeVisible()
    await desk.db.query('commit')
    await expect(getMainRegion(page).getByRole('heading', { level: 1, name })).toBeVisible()
  }
})
