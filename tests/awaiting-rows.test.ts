import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let operator: Person
let requestedPayout: MadePayout
let otherPayout: MadePayout

/** Creates a payout whose release needs a second person, and reads it, so that lists contain it. */
async function makeLargePayout(): Promise<MadePayout> {
  const payout = await testStack.sandbox.makePayout({ amount: 612_300 })
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

/** Returns the text of the table row that contains the payout, or null if the list has no such row. */
async function readRowText(path: string, { id }: MadePayout): Promise<string | null> {
  const html = await (await operator.send(`/sandbox${path}`)).text()
  const row = html.split(/<tr[ >]/).find((part) => part.includes(`data-row="${id}"`))
  return row?.split('</tr>')[0]?.replace(/<[^>]*>/g, ' ') ?? null
}

test.each<[string, (payout: MadePayout) => string]>([
  ['payouts', ({ account }) => `/payouts?tab=all&account=${account}`],
  ['payments', ({ id, account }) => `/payments?payment_id=${id}&account=${account}`],
])(
  'the list of %s marks the payout whose release awaits approval, and no other',
  async (...row) => {
    const [, toPath] = row
    const readRow = (payout: MadePayout) =>
      waitUntil(`the row of ${payout.id}`, () => readRowText(toPath(payout), payout))
    expect(await readRow(requestedPayout)).toContain('Awaiting approval')
    expect(await readRow(otherPayout)).not.toContain('Awaiting approval')
  },
)
