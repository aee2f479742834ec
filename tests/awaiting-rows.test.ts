import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPolicy } from '@/lib/domain/policies'
import type { PolicyRule } from '@/lib/operations/policies'
import { deskPath, homePath } from '@/lib/routes'
import { startLimitRequestDesk } from './harness/limits'
import type { Person } from './harness/person'
import { activatePolicy } from './harness/policy'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let operator: Person
let requestedPayout: MadePayout
let otherPayout: MadePayout

/**
 * Creates a payout whose release needs a second person, and reads it, so that lists contain it. Its
 * early date makes it one of the first in the queue.
 */
async function makeLargePayout(): Promise<MadePayout> {
  const payout = await testStack.sandbox.makePayout({ amount: 612_300, payment_date: '2020-01-02' })
  await operator.get(`/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`)
  return payout
}

beforeAll(async () => {
  testStack = await openSharedDesk()
  operator = testStack.operator
  requestedPayout = await makeLargePayout()
  otherPayout = await makeLargePayout()
  expect(await operator.decide('release', requestedPayout)).toMatchObject({
    status: 202,
    body: { action: { state: 'awaiting_approval' } },
  })
})
afterAll(() => testStack?.stop())

const toText = (html: string) => html.replace(/<[^>]*>/g, ' ')

const loadHtml = async (path: string): Promise<string> => (await operator.send(path)).text()

/** Returns the text of the table row that contains the payout, or null if the list has no such row. */
async function readRowText(path: string, { id }: MadePayout): Promise<string | null> {
  const html = await loadHtml(path)
  const row = html.split(/<tr[ >]/).find((part) => part.includes(`data-row="${id}"`))
  return row === undefined ? null : toText(row.split('</tr>')[0] ?? '')
}

test.each<[string, (payout: MadePayout) => string]>([
  ['payouts', ({ account }) => `/payouts?tab=all&account=${account}`],
  ['payments', ({ id, account }) => `/payments?payment_id=${id}&account=${account}`],
])(
  'the list of %s marks the payout whose release awaits approval, and no other',
  async (...row) => {
    const [, toPath] = row
    const readRow = (payout: MadePayout) =>
      waitUntil(`the row of ${payout.id}`, () => readRowText(`/sandbox${toPath(payout)}`, payout))
    expect(await readRow(requestedPayout)).toContain('Awaiting approval')
    expect(await readRow(otherPayout)).not.toContain('Awaiting approval')
  },
)

test('the queue marks it, and no other', async () => {
  const readQueueRow = ({ id, account }: MadePayout) =>
    waitUntil(`the row of ${id}`, async () => {
      const html = await loadHtml(homePath('sandbox', { account }))
      const row = html.split(/<li[ >]/).find((part) => part.includes(`/payouts/${id}`))
      return row === undefined ? null : toText(row.split('</li>')[0] ?? '')
    })
  expect(await readQueueRow(requestedPayout)).toContain('Awaiting approval')
  expect(await readQueueRow(otherPayout)).not.toContain('Awaiting approval')
})

test('the account limits mark the account whose new limits await approval, and no other', async () => {
  const limitRule: PolicyRule = {
    operation: 'capability_requests.create',
    ...{ environment: null, account: null, when: [], control: 'approve' },
    ...{ ask: ['operator', 'admin'], second: ['reviewer', 'admin'] },
  }
  await activatePolicy(testStack, {
    ...defaultPolicy,
    rules: [...defaultPolicy.rules, limitRule],
  })
  const limitDesk = await startLimitRequestDesk(testStack)
  const [requested, other] = [await limitDesk.newAccount(), await limitDesk.newAccount()]
  const reply = await limitDesk.askPayouts(requested)
  expect(reply).toMatchObject({ status: 202, body: { action: { state: 'awaiting_approval' } } })
  const loadOverview = async (account: string) =>
    toText(await loadHtml(deskPath('sandbox', '/limits', { account })))
  expect(await loadOverview(requested)).toContain('Awaiting approval')
  expect(await loadOverview(other)).not.toContain('Awaiting approval')
})
