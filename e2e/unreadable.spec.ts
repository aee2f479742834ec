import { payoutPath, payoutsPath, signInPath } from '@/lib/routes'
import { startDashboard } from '@/tests/harness/dashboard'
import { startSandbox } from '@/tests/harness/sandbox'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectPageAccessible } from './look'
import { waitForHydration } from './wait-for-hydration'

const buildResponseBody = (data: unknown, meta: Record<string, unknown> = {}) =>
  JSON.stringify({
    meta: { api_request_id: 'planned', ...meta },
    response_type: Array.isArray(data) ? 'array' : 'object',
    data,
  })

const buildPayout = (id: string, overrides: Record<string, unknown> = {}) => ({
  id,
  payment_type: 'payout',
  amount: '1250000',
  currency: 'USD',
  status: 'on_hold',
  status_history: [],
  payment_date: '2026-04-01',
  created_at: '2026-03-30T14:05:00Z',
  updated_at: '2026-03-30T14:05:00Z',
  customer_details: { name: 'Ann Able' },
  paykey_details: { label: 'JPMORGAN CHASE BANK - *1234' },
  ...overrides,
})

test('unreadable rows are in the list with their raw data', { tag: '@full' }, async ({
  page,
  started,
}) => {
  // Starts its own Paydesk, whose first import receives the rows. `slow` extends the timeout,
  // because the start takes long.
  test.slow()
  const sandbox = await started(startSandbox())
  const { id, account } = await sandbox.makePayout()
  const responseRows = [
    buildPayout(id),
    buildPayout(id.replace(/^./, 'f'), { amount: {}, status: 'levitating' }),
    { id: 'pay_77', status: 'paid' },
    'rubbish',
  ]
  const paymentsResponseBody = buildResponseBody(responseRows, {
    page_number: 1,
    page_size: 50,
    total_items: 4,
  })
  await sandbox.fault({
    operation: 'payments.search',
    match: account.replace('acct_', ''),
    kind: 'body',
    body: paymentsResponseBody,
    count: null,
  })
  const desk = await started(
    startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, mirror: true }),
  )
  await page.goto(desk.url + signInPath(payoutsPath('sandbox', { account, tab: 'all' })))
  await page.getByRole('button', { name: /^operator / }).click()
  const unreadableRowsList = page.getByRole('list', { name: 'Rows that could not be read' })
  await expect(unreadableRowsList.getByRole('listitem')).toHaveCount(2)
  // The count can be over 4: the import also found payments on hold of this account in the list of
  // the whole platform.
  await expect(page.getByText(/^1–(\d+) of \1; 2 of these could not be read$/)).toBeVisible()
  await expect(unreadableRowsList.getByText('"pay_77"')).toBeHidden()
  await unreadableRowsList.getByText('Show what the service sent').first().click()
  await expect(unreadableRowsList.getByText('"pay_77"')).toBeVisible()
  await waitForHydration(page)
  await expectPageAccessible(page)
})

test('unreadable fields are marked in place and disable the actions that need them', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const { id, account } = await sandbox.makePayout()
  const unreadableFields = {
    amount: { value: 12 },
    documents: 'none',
    payment_date: ['2026'],
    metadata: { order: ['7'], note: 'kept' },
  }
  await sandbox.fault({
    operation: 'payouts.get',
    match: id,
    kind: 'body',
    body: buildResponseBody(buildPayout(id, unreadableFields)),
    count: null,
  })
  const page = await signIn('operator')
  await goTo(page, payoutPath('sandbox', id, { account }))
  const payoutArticle = page.getByRole('article', { name: 'Payout' })
  const unreadableNote = payoutArticle.getByText(
    '4 fields could not be read: amount, documents, metadata.order, payment_date',
  )
  await expect(unreadableNote).toBeVisible()
  await unreadableNote.click()
  await expect(payoutArticle.getByText('{"value":12}')).toBeVisible()
  await expect(payoutArticle.getByText('The documents could not be read.')).toBeVisible()
  await expect(
    payoutArticle.getByText(
      'Release unavailable: The amount could not be read, so this action is unavailable.',
    ),
  ).toBeVisible()
  await expect(payoutArticle.getByRole('button', { name: /^Release/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expectPageAccessible(page)
})
