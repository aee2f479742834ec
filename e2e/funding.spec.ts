import type { Page } from '@playwright/test'
import { deskPath, listPath, recordPath, serviceApiPath } from '@/lib/routes'
import { write } from './accounts'
import { makeCustomer, makePlace } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectSound } from './look'
import { objects, rows } from './lookup'
import { readDesk } from './paykey-desk'
import type { MadePayment, Sandbox } from './sandbox'

type Event = { id: string; amount: string; payment_count: number; status: string }
type Line = { id: string; funding_amount: string; reason: string }

const record = (page: Page) => page.getByRole('article', { name: 'Funding event' })
const events = (page: Page, query = '') => objects<Event>(page, '/funding_events', `page_size=1000${query}`)
const linesOf = (page: Page, id: string) => objects<Line>(page, `/funding_event_payments/${id}`, 'page_size=1000&sort_by=id&sort_order=asc')
const money = (cents: number) => `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

const openEvent = (page: Page, id: string) => goTo(page, recordPath('sandbox', 'funding_events', id))

const answerOf = (lines: readonly Line[], total = lines.length) =>
  JSON.stringify({
    meta: { api_request_id: 'planned', page_number: 1, page_size: 250, total_items: total, sort_by: 'id', sort_order: 'asc' },
    response_type: 'array',
    data: lines,
  })

test('the payments of a funding event add up to its amount, by line and by reason', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  const mixed = (await events(page, '&event_type=charge_deposit')).toSorted((a, b) => b.payment_count - a.payment_count).slice(0, 12)
  const read = await Promise.all(mixed.map(async (event) => ({ event, lines: await linesOf(page, event.id) })))
  // Prefers an event with returns, because then the lines have different signs.
  const { event, lines } = read.find(({ lines }) => new Set(lines.map((line) => line.reason)).size > 1) ??
    read[0] ?? { event: undefined, lines: [] }
  expect(lines.reduce((sum, line) => sum + Number(line.funding_amount), 0)).toBe(Number(event?.amount))
  await openEvent(page, event?.id ?? '')
  await expect(record(page)).toContainText(
    `${lines.length} lines add up to ${money(Number(event?.amount))}, the event’s amount, to the cent.`,
  )
  await expect(rows(page)).toHaveCount(lines.length)
  await expect(rows(page).last()).toContainText(money(Number(event?.amount)))
  const credits = lines.filter((line) => line.reason === 'credit')
  await record(page)
    .getByRole('button', { name: new RegExp(`^Credit, ${credits.length} line`) })
    .click()
  await expect(rows(page)).toHaveCount(credits.length)
  await expectSound(page)
})

type Funded = { id: string; name: string; account: string; charge: MadePayment }

/** Creates `count` settled charges that wait for funding, in a new account. Returns the account and the last charge. */
async function unfunded(page: Page, sandbox: Sandbox, deskUrl: string, count = 1): Promise<Funded> {
  const { id, name, account } = await makePlace(page, deskUrl)
  const settled = () => sandbox.makeCharge({ account_id: id, status: 'paid', awaits_funding: true })
  for (let index = 1; index < count; index += 1) await settled()
  return { id, name, account, charge: await settled() }
}

/** Returns a funding event of four charges in a new account, and its lines. */
async function ownEvent(page: Page, sandbox: Sandbox, deskUrl: string): Promise<{ id: string; lines: Line[] }> {
  const { account } = await unfunded(page, sandbox, deskUrl, 4)
  const requestBody = { funding_event_job_type: 'charges' }
  const { id } = await write<{ id: string }>(page, 'POST', '/funding_events/simulate', requestBody, { account, deskUrl })
  return { id, lines: await linesOf(page, id) }
}

test('a long name stays within its row', { tag: '@full' }, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const { id: account_id, account } = await makePlace(page, deskUrl)
  const customer = await makeCustomer(page, deskUrl, { account, name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim() })
  await sandbox.makeCharge({ account_id, customer_id: customer.id, status: 'paid', awaits_funding: true })
  const requestBody = { funding_event_job_type: 'charges' }
  const { id } = await write<{ id: string }>(page, 'POST', '/funding_events/simulate', requestBody, { account, deskUrl })
  await page.setViewportSize({ width: 1280, height: 800 })
  await openEvent(page, id)
  await expect(rows(page)).toContainText('Wolfeschlegelsteinhausenbergerdorff')
  await expectSound(page)
})

test('funding is simulated for one account, and a message says if nothing is left to fund', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const page = await signIn('operator')
  const { name, account, charge } = await unfunded(page, sandbox, deskUrl)
  await goTo(page, deskPath('sandbox', '/funding-events/simulate'))
  await expect(page.getByText('Unavailable: Choose the account first.')).toBeVisible()
  await page.getByLabel('Account', { exact: true }).selectOption(account)
  const fund = page.getByRole('button', { name: `Fund the charges of ${name}` })
  await fund.click()
  await expect(record(page)).toContainText('to the cent.')
  await expect(record(page)).toContainText(`for ${name} in SANDBOX`)
  await expect(rows(page).filter({ hasText: charge.customer }).first()).toBeVisible()

  await goTo(page, deskPath('sandbox', '/funding-events/simulate', { account }))
  await fund.click()
  await expect(page.getByText('No event created')).toBeVisible()
  await expect(page.getByText(/“.*Nothing to fund/)).toBeVisible()
  await expectSound(page)
})

test('a person without the role cannot simulate funding, and production has no simulation', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  await goTo(page, deskPath('sandbox', '/funding-events/simulate'))
  await expect(page.getByText('Unavailable: Only an operator or an admin can simulate a funding event.')).toBeVisible()
  expect((await page.request.get(deskPath('production', '/funding-events/simulate'))).status()).toBe(404)
  const address = serviceApiPath('production', '/funding_events/simulate', '')
  const answer = await page.request.post(address, {
    data: { funding_event_job_type: 'charges' },
    headers: { origin: new URL(page.url()).origin },
  })
  expect([403, 404]).toContain(answer.status())
})

test('a difference of one cent is shown with possible causes', { tag: '@full' }, async ({ signIn, sandbox, deskUrl }) => {
  const { id, lines } = await ownEvent(await signIn('operator'), sandbox, deskUrl)
  const page = await signIn('viewer')
  // Waits until the event is pending. Before that, its status alone could explain the difference.
  await expect.poll(async () => (await readDesk<Event>(page, `/funding_events/${id}`)).status).toBe('pending')
  const [first, ...others] = lines
  const wrong = [...others, { ...first, funding_amount: String(Number(first?.funding_amount) + 1) } as Line]
  await sandbox.fault({ operation: 'funding_event_payments.list', match: id, kind: 'body', body: answerOf(wrong), count: null })
  await openEvent(page, id)
  await expect(record(page)).toContainText('They differ by $0.01.')
  await expect(record(page)).toContainText('The lines do not explain the difference.')
  await expectSound(page)
})

test('unread lines leave the comparison open and can be read again', { tag: '@full' }, async ({ signIn, sandbox, deskUrl }) => {
  const { id, lines } = await ownEvent(await signIn('operator'), sandbox, deskUrl)
  const page = await signIn('viewer')
  const plan = { operation: 'funding_event_payments.list', match: id }
  await sandbox.fault({ ...plan, kind: 'body', body: answerOf(lines.slice(0, 2), lines.length) })
  await sandbox.fault({ ...plan, kind: 'status', status: 500, count: null })
  await openEvent(page, id)
  await expect(record(page)).toContainText('Not known yet whether the lines match the event.')
  await expect(record(page)).toContainText(`${lines.length - 2} lines of ${lines.length} could not be read and are not in the sum.`)
  await expect(record(page)).toContainText('The rest of the payments could not be read')
  await expectSound(page)
  await sandbox.clearFaults()
  const rest = answerOf(lines.slice(2), lines.length)
  await sandbox.fault({ ...plan, kind: 'body', body: rest })
  await record(page).getByRole('button', { name: 'Load more' }).click()
  await expect(record(page)).toContainText('to the cent.')
})

test('amounts are signed from the linked bank account’s view, and rows show their account', { tag: '@full' }, async ({ signIn }) => {
  const page = await signIn('viewer')
  const amounts = async () => (await rows(page).allInnerTexts()).flatMap((row) => /−?\$[\d,]+\.\d\d/.exec(row)?.[0] ?? [])
  for (const [tab, negative] of [
    ['withdrawals', true],
    ['deposits', false],
  ] as const) {
    await goTo(page, listPath('sandbox', 'funding_events', { tab }))
    await expect(rows(page).nth(20)).toBeVisible()
    const amountTexts = await amounts()
    expect(amountTexts.length).toBeGreaterThan(10)
    for (const amount of amountTexts) expect(amount.startsWith('−'), `${tab}: ${amount}`).toBe(negative)
  }
  // The desk looks up the accounts while it shows the list, so only a later load contains them.
  await expect(async () => {
    await page.reload()
    await expect(rows(page).nth(20)).toBeVisible()
    expect(await rows(page).filter({ hasText: 'unknown' }).count()).toBe(0)
  }).toPass()
})
