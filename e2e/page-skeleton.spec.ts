import type { Page } from '@playwright/test'
import { listPath, recordPath, signInPath } from '@/lib/routes'
import { startWholeDesk } from '@/tests/harness/whole-desk'
import { makePlace } from './customer'
import { inScope, openList } from './desk'
import { expect, test } from './fixtures'
import { hydrated } from './hydrated'
import type { MadePayment, Sandbox } from './sandbox'

/** Long enough for what is in a page's place to be seen, short enough for the page to come after it (milliseconds). */
const ms = 6000

const main = (page: Page) => page.getByRole('main')
const skeletonOf = (page: Page, noun: string) => main(page).getByText(`Loading the ${noun}…`)

/** Goes to a payout that takes its time to be read, by its id. */
async function goToSlow(page: Page, sandbox: Sandbox, { id, account }: MadePayment): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Find or go to' })
  await palette.getByRole('combobox', { name: 'Find or go to' }).fill(id)
  await expect(palette.getByRole('option', { name: /Payout/ })).toHaveAttribute('aria-selected', 'true')
  await sandbox.fault({ operation: 'payouts.get', match: id, kind: 'delay', ms, count: 1 })
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(recordPath(inScope(account), 'payouts', id))
}

test('whatever page a link leads to, its shape is there before it is read', async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const { id: account_id } = await makePlace(page, deskUrl)
  const [first, second] = [await sandbox.makePayout({ account_id }), await sandbox.makePayout({ account_id })]
  await openList(page, { account: first.account })

  // From a list to one of its records.
  await goToSlow(page, sandbox, first)
  await expect(skeletonOf(page, 'payout')).toBeVisible()
  await expect(main(page).getByRole('heading', { level: 1, name: 'Payouts' })).toHaveCount(0)
  await expect(main(page).getByRole('article')).toContainText(first.customer)

  // From a record to another of its kind.
  await goToSlow(page, sandbox, second)
  await expect(skeletonOf(page, 'payout')).toBeVisible()
  await expect(main(page).getByRole('article')).toHaveCount(0)
  await expect(main(page).getByRole('article')).toContainText(second.customer)
})

test('a list that takes its time has its shape before its rows', async ({ page }) => {
  // A desk of its own, whose start counts as well: nobody else's store is made to wait.
  test.slow()
  const own = await startWholeDesk({ mirror: true })
  try {
    await page.goto(own.dashboard.url + signInPath(listPath('sandbox', 'accounts')))
    await page.getByRole('button', { name: /^operator / }).click()
    await expect(main(page).getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
    await hydrated(page)
    for (const [name, resource] of [
      ['Customers', 'customers'],
      ['Paykeys', 'paykeys'],
    ] as const) {
      await own.db.query(`begin; lock table mirror_${resource} in access exclusive mode`)
      await page.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name }).click()
      await expect(main(page).getByText('Loading the list…')).toBeAttached()
      await expect(main(page).getByText(name, { exact: true })).toBeVisible()
      await own.db.query('commit')
      await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible()
    }
  } finally {
    await own.stop()
  }
})

test('on the way back a page is there at once, as it was read before', async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const { id: account_id } = await makePlace(page, deskUrl)
  const payout = await sandbox.makePayout({ account_id })
  await openList(page, { account: payout.account })
  await goToSlow(page, sandbox, payout)
  await expect(main(page).getByRole('article')).toContainText(payout.customer)
  await sandbox.fault({ operation: 'payments.search', match: account_id, kind: 'delay', ms, count: null })
  await page.goBack()
  await expect(main(page).getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible({ timeout: ms / 2 })
})
