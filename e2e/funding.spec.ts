import type { Page } from '@playwright/test'
import { deskPath, listPath, recordPath, serviceApiPath } from '@/lib/routes'
import { sendWrite } from './accounts'
import { makeAccountWithCustomer, makeCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible } from './look'
import { fetchObjects, getTableRows } from './lookup'
import { fetchServiceData } from './paykey-desk'
import type { MadePayment, Sandbox } from './sandbox'

type FundingEvent = { id: string; amount: string; payment_count: number; status: string }
type FundingLine = { id: string; funding_amount: string; reason: string }

const getEventArticle = (page: Page) => page.getByRole('article', { name: 'Funding event' })
const fetchFundingEvents = (page: Page, query = '') =>
  fetchObjects<FundingEvent>(page, '/funding_events', `page_size=1000${query}`)
const fetchFundingLines = (page: Page, id: string) =>
  fetchObjects<FundingLine>(
    page,
    `/funding_event_payments/${id}`,
    'page_size=1000&sort_by=id&sort_order=asc',
  )
const formatMoney = (cents: number) =>
  `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

const openFundingEvent = (page: Page, id: string) =>
  goTo(page, recordPath('sandbox', 'funding_events', id))

const buildLinesResponse = (lines: readonly FundingLine[], total = lines.length) =>
  JSON.stringify({
    meta: {
      api_request_id: 'planned',
      page_number: 1,
      page_size: 250,
      total_items: total,
      sort_by: 'id',
      sort_order: 'asc',
    },
    response_type: 'array',
    data: lines,
  })

test('the payments of a funding event add up to its amount, by line and by reason', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const largestEvents = (await fetchFundingEvents(page, '&event_type=charge_deposit'))
    .toSorted((a, b) => b.payment_count - a.payment_count)
    .slice(0, 12)
  const eventsWithLines = await Promise.all(
    largestEvents.map(async (event) => ({ event, lines: await fetchFundingLines(page, event.id) })),
  )
  // Prefers an event whose lines have several reasons, such as credits and returns: these have
  // different signs.
  const { event, lines } = eventsWithLines.find(
    ({ lines }) => new Set(lines.map((line) => line.reason)).size > 1,
  ) ??
    eventsWithLines[0] ?? { event: undefined, lines: [] }
  expect(lines.reduce((sum, line) => sum + Number(line.funding_amount), 0)).toBe(
    Number(event?.amount),
  )
  await openFundingEvent(page, event?.id ?? '')
  await expect(getEventArticle(page)).toContainText(
    `${lines.length} lines add up to exactly ${formatMoney(Number(event?.amount))}, the amount of this event.`,
  )
  await expect(getTableRows(page)).toHaveCount(lines.length)
  await expect(getTableRows(page).last()).toContainText(formatMoney(Number(event?.amount)))
  const creditLines = lines.filter((line) => line.reason === 'credit')
  await getEventArticle(page)
    .getByRole('button', { name: new RegExp(`^Credit, ${creditLines.length} line`) })
    .click()
  await expect(getTableRows(page)).toHaveCount(creditLines.length)
  await expectAccessible(page)
})

type UnfundedCharge = { id: string; name: string; account: string; charge: MadePayment }

/**
 * Creates `count` settled charges that wait for funding, in a new account. Returns the account and
 * the last charge.
 */
async function createUnfundedCharges(
  page: Page,
  sandbox: Sandbox,
  deskUrl: string,
  count = 1,
): Promise<UnfundedCharge> {
  const { id, name, account } = await makeAccountWithCustomer(page, deskUrl)
  const makeSettledCharge = () =>
    sandbox.makeCharge({ account_id: id, status: 'paid', awaits_funding: true })
  for (let index = 1; index < count; index += 1) await makeSettledCharge()
  return { id, name, account, charge: await makeSettledCharge() }
}

/** Creates a funding event of four charges in a new account. Returns its id and its lines. */
async function createFundingEvent(
  page: Page,
  sandbox: Sandbox,
  deskUrl: string,
): Promise<{ id: string; lines: FundingLine[] }> {
  const { account } = await createUnfundedCharges(page, sandbox, deskUrl, 4)
  const requestBody = { funding_event_job_type: 'charges' }
  const { id } = await sendWrite<{ id: string }>(
    page,
    'POST',
    '/funding_events/simulate',
    requestBody,
    { account, deskUrl },
  )
  return { id, lines: await fetchFundingLines(page, id) }
}

test('a long name stays within its row', { tag: '@full' }, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('admin')
  const { id: account_id, account } = await makeAccountWithCustomer(page, deskUrl)
  const customer = await makeCustomer(page, deskUrl, {
    account,
    name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim(),
  })
  await sandbox.makeCharge({
    account_id,
    customer_id: customer.id,
    status: 'paid',
    awaits_funding: true,
  })
  const requestBody = { funding_event_job_type: 'charges' }
  const { id } = await sendWrite<{ id: string }>(
    page,
    'POST',
    '/funding_events/simulate',
    requestBody,
    { account, deskUrl },
  )
  await page.setViewportSize({ width: 1280, height: 800 })
  await openFundingEvent(page, id)
  await expect(getTableRows(page)).toContainText('Wolfeschlegelsteinhausenbergerdorff')
  await expectAccessible(page)
})

test('funding is simulated for one account, and a message says if nothing is left to fund', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  const { name, account, charge } = await createUnfundedCharges(page, sandbox, deskUrl)
  await goTo(page, deskPath('sandbox', '/funding-events/simulate'))
  await expect(page.getByText('Unavailable: Choose the account first.')).toBeVisible()
  await page.getByLabel('Account', { exact: true }).selectOption(account)
  const fundButton = page.getByRole('button', {
    name: `Simulate funding of the charges of ${name}`,
  })
  await fundButton.click()
  await expect(getEventArticle(page)).toContainText('the amount of this event.')
  await expect(getEventArticle(page)).toContainText(`for ${name} in SANDBOX`)
  await expect(getTableRows(page).filter({ hasText: charge.customer }).first()).toBeVisible()

  await goTo(page, deskPath('sandbox', '/funding-events/simulate', { account }))
  await fundButton.click()
  await expect(page.getByText('No event created')).toBeVisible()
  await expect(page.getByText(/“.*Nothing to fund/)).toBeVisible()
  await expectAccessible(page)
})

test('a person without the role cannot simulate funding, and production has no simulation', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  await goTo(page, deskPath('sandbox', '/funding-events/simulate'))
  await expect(
    page.getByText('Unavailable: Only an operator or an admin can simulate a funding event.'),
  ).toBeVisible()
  expect(
    (await page.request.get(deskPath('production', '/funding-events/simulate'))).status(),
  ).toBe(404)
  const simulationUrl = serviceApiPath('production', '/funding_events/simulate', '')
  const simulationResponse = await page.request.post(simulationUrl, {
    data: { funding_event_job_type: 'charges' },
    headers: { origin: new URL(page.url()).origin },
  })
  expect([403, 404]).toContain(simulationResponse.status())
})

test('a difference of one cent is shown with possible causes', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { id, lines } = await createFundingEvent(await signIn('operator'), sandbox, deskUrl)
  const page = await signIn('viewer')
  // Waits for the status `pending`. If the event is only `created`, the page explains any
  // difference by lines that may still be added.
  await expect
    .poll(async () => (await fetchServiceData<FundingEvent>(page, `/funding_events/${id}`)).status)
    .toBe('pending')
  const [first, ...others] = lines
  const wrongFundingLines = [
    ...others,
    { ...first, funding_amount: String(Number(first?.funding_amount) + 1) } as FundingLine,
  ]
  await sandbox.fault({
    operation: 'funding_event_payments.list',
    match: id,
    kind: 'body',
    body: buildLinesResponse(wrongFundingLines),
    count: null,
  })
  await openFundingEvent(page, id)
  await expect(getEventArticle(page)).toContainText('They differ by $0.01.')
  await expect(getEventArticle(page)).toContainText('The lines do not explain the difference.')
  await expectAccessible(page)
})

test('unread lines leave the comparison open and can be read again', { tag: '@full' }, async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const { id, lines } = await createFundingEvent(await signIn('operator'), sandbox, deskUrl)
  const page = await signIn('viewer')
  const plannedReadFault = { operation: 'funding_event_payments.list', match: id }
  await sandbox.fault({
    ...plannedReadFault,
    kind: 'body',
    body: buildLinesResponse(lines.slice(0, 2), lines.length),
  })
  await sandbox.fault({ ...plannedReadFault, kind: 'status', status: 500, count: null })
  await openFundingEvent(page, id)
  await expect(getEventArticle(page)).toContainText(
    'Not known yet whether the lines match the event.',
  )
  await expect(getEventArticle(page)).toContainText(
    `${lines.length - 2} lines of ${lines.length} could not be read and are not in the sum.`,
  )
  await expect(getEventArticle(page)).toContainText('The rest of the payments could not be read')
  await expectAccessible(page)
  await sandbox.clearFaults()
  const remainingLinesResponse = buildLinesResponse(lines.slice(2), lines.length)
  await sandbox.fault({ ...plannedReadFault, kind: 'body', body: remainingLinesResponse })
  await getEventArticle(page).getByRole('button', { name: 'Load more' }).click()
  await expect(getEventArticle(page)).toContainText('the amount of this event.')
})

test('amounts are signed from the linked bank account’s view, and rows show their account', {
  tag: '@full',
}, async ({ signIn }) => {
  const page = await signIn('viewer')
  const listAmounts = async () =>
    (await getTableRows(page).allInnerTexts()).flatMap(
      (row) => /−?\$[\d,]+\.\d\d/.exec(row)?.[0] ?? [],
    )
  for (const [tab, negative] of [
    ['withdrawals', true],
    ['deposits', false],
  ] as const) {
    await goTo(page, listPath('sandbox', 'funding_events', { tab }))
    await expect(getTableRows(page).nth(20)).toBeVisible()
    const amountTexts = await listAmounts()
    expect(amountTexts.length).toBeGreaterThan(10)
    for (const amount of amountTexts)
      expect(amount.startsWith('−'), `${tab}: ${amount}`).toBe(negative)
  }
  // The first load may show “unknown” accounts, because Paydesk looks them up in the background. A
  // later load shows their names.
  await expect(async () => {
    await page.reload()
    await expect(getTableRows(page).nth(20)).toBeVisible()
    expect(await getTableRows(page).filter({ hasText: 'unknown' }).count()).toBe(0)
  }).toPass()
})
