import type { Locator, Page } from '@playwright/test'
import { homePath, payoutPath, serviceApiPath } from '@/lib/routes'
import { accountsOf, awake, decisionOf, goTo, openPayout, sendRelease, writeRelease } from './desk'
import { expect, test } from './fixtures'
import { expectSound, measureShifts } from './look'

const openHome = (page: Page, search: Record<string, string> = {}) => goTo(page, homePath('sandbox', search))

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const queue = (page: Page, name: string): Locator => part(page, name)
const rows = (page: Page, name: string): Locator => queue(page, name).getByRole('listitem')
const chart = (page: Page, name: RegExp): Locator =>
  page.getByRole('region', { name }).filter({ has: page.getByRole('heading', { level: 2 }) })

/** An account in which nothing waits: it was refused, so it never had customers or payments. */
async function quietAccount(page: Page): Promise<string> {
  const answer = await page.request.get(serviceApiPath('sandbox', '/accounts', 'status=rejected'))
  const { data } = (await answer.json()) as { data: { id: string }[] }
  return `acct_${data[0]?.id}`
}

test('every queue with something in it stands there, with how many wait and since when', async ({ signIn }) => {
  const page = await signIn('admin')
  await openHome(page)
  for (const name of [
    'Held payouts',
    'Paykeys in review',
    'Customers in review',
    'Paykeys that can be unblocked',
    'Failed and reversed, last 7 days',
    'Accounts to onboard',
    'Capability requests open',
    'Accounts being onboarded',
  ]) {
    await expect(queue(page, name).getByText(/^\d+ waiting$/), name).toBeVisible()
    await expect(queue(page, name).getByText(/oldest .* ago/), name).toBeVisible()
    await expect(rows(page, name).first(), name).toBeVisible()
    expect(await rows(page, name).count(), name).toBeLessThanOrEqual(5)
  }
})

test('a held payout says why, how much, for whom, whose, and that it is late, and leads to its page', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ payment_date: '2020-01-02', message: 'Waits for the contract' })
  const page = await signIn('operator')
  await openHome(page)
  const row = rows(page, 'Held payouts').filter({ has: page.getByRole('link', { name: payout.id.slice(-6) }) })
  await expect(row).toContainText('On request: “Waits for the contract”')
  await expect(row).toContainText('123.45 USD')
  await expect(row).toContainText(payout.customer)
  const owner = (await accountsOf(page)).find(({ id }) => id === payout.account)
  await expect(row).toContainText(owner?.name ?? 'no such account')
  await expect(row).toContainText('late, next cut-off in')
  await row.getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(payoutPath('sandbox', payout.id, { account: payout.account }))
  await expect(page.getByRole('heading', { name: /Payout of 123\.45/ })).toBeVisible()
})

test('the link to a whole queue leads to as many as the queue says', async ({ signIn }) => {
  const page = await signIn('operator')
  const [, second] = await accountsOf(page)
  await openHome(page, { account: second?.id ?? '' })
  const count = await queue(page, 'Held payouts')
    .getByText(/^\d+ waiting$/)
    .textContent()
  await queue(page, 'Held payouts').getByRole('link', { name: 'Held payouts' }).click()
  await expect(page).toHaveURL(new RegExp(`account=${second?.id}`))
  await expect(page.getByText(`${Number.parseInt(count ?? '', 10)} payouts`, { exact: true })).toBeVisible()
})

test('what is mine follows from what I may do', async ({ signIn }) => {
  const operator = await signIn('operator')
  await openHome(operator)
  await expect(part(operator, 'Waits for you').getByRole('heading', { name: 'Held payouts' })).toBeVisible()
  await expect(part(operator, 'Waits for you').getByRole('heading', { name: 'Paykeys in review' })).toHaveCount(0)
  await expect(part(operator, 'Waits for a reviewer or an admin').getByRole('heading', { name: 'Paykeys in review' })).toBeVisible()
  const reviewer = await signIn('reviewer')
  await openHome(reviewer)
  await expect(part(reviewer, 'Waits for you').getByRole('heading', { name: 'Paykeys in review' })).toBeVisible()
  await expect(part(reviewer, 'Waits for you').getByRole('heading', { name: 'Held payouts' })).toHaveCount(0)
  await expect(queue(reviewer, 'Paykeys in review').getByRole('link', { name: 'Work through all' })).toBeVisible()
  await expect(queue(reviewer, 'Held payouts').getByRole('link', { name: 'Work through' })).toHaveCount(0)
})

test('a viewer sees all of it and is called to nothing', async ({ signIn }) => {
  const page = await signIn('viewer')
  await openHome(page)
  await expect(page.getByText('Your role reads. What waits here is for others to decide.')).toBeVisible()
  await expect(rows(page, 'Held payouts').first()).toBeVisible()
  await expect(part(page, 'Waits for you')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Work through' })).toHaveCount(0)
})

test('a paykey in review says how much waits behind it', async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout({ paykey_status: 'review', amount: 98_765 })
  const page = await signIn('reviewer')
  const read = await page.request.get(serviceApiPath('sandbox', `/payouts/${payout.id}`, '', payout.account))
  const { data } = (await read.json()) as { data: { paykey_details: { id: string } } }
  await openHome(page, { account: payout.account })
  // A new review is the last of its queue, so it is looked for only while the queue is short enough to show it.
  const all = queue(page, 'Paykeys in review').getByText(/^\d+ waiting$/)
  await expect(all).toBeVisible()
  const row = rows(page, 'Paykeys in review').filter({ has: page.getByRole('link', { name: data.paykey_details.id.slice(-6) }) })
  if (Number.parseInt((await all.textContent()) ?? '', 10) <= 5) await expect(row).toContainText('1 payment, 987.65 USD')
})

test('where nothing waits it says so, and when the next cut-off is', async ({ signIn }) => {
  const page = await signIn('operator')
  await openHome(page, { account: await quietAccount(page) })
  await expect(page.getByRole('heading', { name: 'All done' })).toBeVisible()
  await expect(page.getByText(/The next bank cut-off is .* in /)).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0)
  await expect(page.getByText('Money held')).toHaveCount(0)
  await expectSound(page)
})

const cents = (text: string) => Math.round(Number(text.replaceAll(',', '').replace('−', '-')) * 100)

test('behind each chart stands a table with the same figures', async ({ signIn }) => {
  const page = await signIn('viewer')
  await openHome(page)
  const flow = chart(page, /^Money in and out/)
  await expect(flow.getByRole('img', { name: /^Money in and out per day over 30 days\. In [\d,.]+, out [\d,.]+, net/ })).toBeVisible()
  await flow.getByRole('button', { name: /^As table/ }).focus()
  await page.keyboard.press('Enter')
  const days = flow.getByRole('table').getByRole('row')
  await expect(days).toHaveCount(31)
  await expect(flow.getByRole('img')).toHaveCount(0)
  const column = async (at: number) => {
    const texts = await days.locator(`td:nth-of-type(${at})`).allTextContents()
    return texts.reduce((sum, text) => sum + cents(text), 0)
  }
  const figure = async (name: string) => {
    const text = await flow.locator('dl > div').filter({ hasText: name }).locator('dd').textContent()
    return cents((text ?? '').replace('USD', '').trim())
  }
  expect([await column(1), await column(2), await column(3)]).toEqual([await figure('In'), await figure('Out'), await figure('Net')])
  expect(await column(1)).toBeGreaterThan(0)

  const rates = chart(page, /^Return rates/)
  await expect(rates.getByRole('img', { name: /Unauthorised [\d.]+ %, .* of 0\.5 %/ })).toBeVisible()
  const [, returned, debits] = /(\d[\d,]*) of (\d[\d,]*) debits/.exec((await rates.textContent()) ?? '') ?? []
  await rates.getByRole('button', { name: /^As table/ }).click()
  const overall = rates.getByRole('row', { name: /^All returns/ }).getByRole('cell')
  await expect(overall.nth(0)).toHaveText(returned?.replaceAll(',', '') ?? '')
  await expect(overall.nth(1)).toHaveText(`${((cents(returned ?? '') / cents(debits ?? '')) * 100).toFixed(2)} %`)
})

test('home is sound in both themes and widths, with its charts and with their tables', async ({ signIn }) => {
  const page = await signIn('operator')
  await openHome(page)
  await expect(chart(page, /^Return rates/).getByRole('img')).toBeVisible()
  await expectSound(page)
  for (const name of [/^Money in and out/, /^Return rates/]) {
    await chart(page, name)
      .getByRole('button', { name: /^As table/ })
      .click()
    await chart(page, name).getByText('How this is counted').click()
  }
  await expectSound(page)
})

test('home does not jump', async ({ signIn }) => {
  const page = await signIn('operator')
  const shifts = await measureShifts(page)
  await openHome(page)
  await expect(chart(page, /^Money in and out/).getByRole('img')).toBeVisible()
  expect(await shifts()).toBeLessThan(0.02)
})

test('an action whose outcome is unknown comes first, and leads to its object', { tag: '@fault' }, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await writeRelease(page)
  await sandbox.fault({ operation: 'payouts.release', kind: 'status', status: 500, count: null })
  await sendRelease(page).click()
  await expect(decisionOf(page).getByText('Outcome unknown')).toBeVisible({ timeout: 15_000 })
  await openHome(page)
  await expect(part(page, 'Waits for you').getByRole('heading', { level: 3 }).first()).toHaveText('Outcome unknown')
  const row = rows(page, 'Outcome unknown').filter({ hasText: 'by you' }).last()
  await expect(row).toContainText('Release a payout')
  await expect(row).toContainText('checked again under the same key')
  await row.getByRole('link').click()
  await expect(page).toHaveURL(payoutPath('sandbox', payout.id, { account: payout.account }))
})

test('a part that cannot be read leaves the others, and can be tried again', { tag: '@fault' }, async ({ signIn, sandbox }) => {
  const page = await signIn('reviewer')
  await sandbox.fault({ operation: 'customers.list', kind: 'status', status: 500, count: null })
  await openHome(page)
  await expect(page.getByText('Customers in review: could not be read')).toBeVisible()
  await expect(page.getByText('without customers in review')).toBeVisible()
  await expect(rows(page, 'Paykeys in review').first()).toBeVisible()
  await expect(rows(page, 'Held payouts').first()).toBeVisible()
  await expectSound(page)
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Try again: Customers in review' }).click()
  await expect(rows(page, 'Customers in review').first()).toBeVisible()
  await expect(page.getByText('could not be read')).toHaveCount(0)
})

test('a slow part comes later into its own place, and nothing moves', { tag: '@fault' }, async ({ signIn, sandbox }) => {
  const page = await signIn('reviewer')
  const shifts = await measureShifts(page)
  await sandbox.fault({ operation: 'customers.list', kind: 'delay', ms: 5000, count: null })
  await page.goto(homePath('sandbox'), { waitUntil: 'commit' })
  await expect(rows(page, 'Paykeys in review').first()).toBeVisible()
  await expect(page.getByText('Customers in review, being read')).toBeVisible()
  await expect(page.getByText('1 still being read')).toBeVisible()
  await expect(rows(page, 'Customers in review').first()).toBeVisible()
  await awake(page)
  await expect(page.getByText('still being read')).toHaveCount(0)
  expect(await shifts()).toBeLessThan(0.02)
})
