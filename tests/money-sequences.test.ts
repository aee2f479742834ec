import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import {
  addLimitedPerson,
  buildPayoutBody,
  listActiveAccounts,
  makePaykey,
} from './harness/objects'
import { goodReason, type Person, type Reply, signIn } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

/**
 * Thresholds of the default approval policy, in cents. A write needs another person's approval if
 * its amount reaches the first, or if the requester's total of the day exceeds the second.
 */
const [paymentThreshold, dayThreshold] = [500_000, 2_500_000]
const [sentAlone, awaitsApproval] = ['alone', 'waits'] as const

let testStack: WholeDesk
let account = ''
let paykeyId = ''
let personCount = 0

beforeAll(async () => {
  testStack = await openSharedDesk()
  const [first = ''] = await listActiveAccounts(testStack.operator)
  account = `acct_${first}`
  paykeyId = (await makePaykey(testStack.operator, account)).paykey.id
})
afterAll(() => testStack?.stop())

/** Creates an operator who has not moved any money today. */
async function createOperator(): Promise<Person> {
  personCount += 1
  const email = `mover-${personCount}@paydesk.test` as const
  await addLimitedPerson(testStack.db, email, 'operator', account.slice(5))
  return signIn(testStack.dashboard.url, email)
}

/**
 * Returns `alone` if a write was sent, `waits` if it waits for another person's approval, or the
 * status and error of a refusal.
 */
function describeOutcome({ status, body }: Reply): string {
  if (status === 202) return awaitsApproval
  return status === 200 || status === 201
    ? sentAlone
    : `${status} ${body.error?.code}: ${body.error?.detail}`
}

const actionOptions = { reason: goodReason }
const makeHeldPayout = (amount: number): Promise<MadePayout> =>
  testStack.sandbox.makePayout({ amount, account_id: account.slice(5) })
const createPayout = (person: Person, amount: number) =>
  person.write<{ id: string }>(
    'POST',
    `/payouts?account=${account}`,
    buildPayoutBody(paykeyId, { amount }),
    actionOptions,
  )
const changePayout = (person: Person, { id }: { id: string }, amount: number) => {
  const { description, payment_date } = buildPayoutBody(paykeyId)
  return person.write(
    'PUT',
    `/payouts/${id}?account=${account}`,
    { description, payment_date, amount },
    actionOptions,
  )
}
const sendRelease = (person: Person, payout: MadePayout) => person.decide('release', payout)
const sendResubmit = (person: Person, { id }: { id: string }) =>
  person.write<{ id: string }>(
    'POST',
    `/payouts/${id}/resubmit?account=${account}`,
    {},
    actionOptions,
  )

async function createCharge(fields: Record<string, unknown>): Promise<{ id: string }> {
  const response = await fetch(`${testStack.sandbox.url}/sandbox/objects/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_id: account.slice(5), ...fields }),
  })
  const createdObject = (await response.json()) as { id?: string; data?: { id: string } }
  return { id: createdObject.data?.id ?? createdObject.id ?? '' }
}

/**
 * Sends a write about a charge. If the response lists warnings, sends the write again with all of
 * them acknowledged.
 */
async function writeToCharge(
  person: Person,
  method: 'POST' | 'PUT',
  verb: string,
  { id }: { id: string },
  body: object,
): Promise<Reply> {
  const sendWithWarnings = (acknowledgedWarnings: string) =>
    person.write(method, `/charges/${id}/${verb}?account=${account}`, body, {
      ...actionOptions,
      headers: { 'action-warnings': acknowledgedWarnings },
    })
  const firstReply = await sendWithWarnings('')
  const warningIds = (firstReply.body.error?.items ?? []).map(({ reference }) =>
    reference.replace('warnings.', ''),
  )
  return warningIds.length > 0 ? sendWithWarnings(warningIds.join(',')) : firstReply
}

/**
 * Functions that send a write with the given amount in cents, by name: one for each kind of write
 * that the policy limits by amount.
 */
const moneyActions: Record<string, (person: Person, amount: number) => Promise<Reply>> = {
  'payouts.create': createPayout,
  'payouts.release': async (person, amount) => sendRelease(person, await makeHeldPayout(amount)),
  'payouts.update, raised': async (person, amount) =>
    changePayout(person, await makeHeldPayout(100), amount),
  'payouts.update, lowered': async (person, amount) =>
    changePayout(person, await makeHeldPayout(amount), 100),
  'payouts.resubmit': async (person, amount) =>
    sendResubmit(
      person,
      await testStack.sandbox.makePayout({
        amount,
        status: 'failed',
        account_id: account.slice(5),
      }),
    ),
  'charges.refund': async (person, amount) =>
    writeToCharge(
      person,
      'POST',
      'refund',
      await createCharge({ amount: 900_000, status: 'paid' }),
      { amount },
    ),
  'charges.release': async (person, amount) =>
    writeToCharge(person, 'PUT', 'release', await createCharge({ amount }), { reason: goodReason }),
}

describe.each(Object.keys(moneyActions))('%s', (name) => {
  const runAction = moneyActions[name] as (typeof moneyActions)[string]
  const amountCases: [cents: number, expected: string][] = [
    [paymentThreshold - 1, sentAlone],
    [paymentThreshold, awaitsApproval],
    ...sampleItems<[number, string]>(
      [
        [1, sentAlone],
        [123_457, sentAlone],
        [paymentThreshold + 1, awaitsApproval],
        [777_777, awaitsApproval],
      ],
      1,
    ),
  ]
  test.each(amountCases)('%i cents by one person: %s', async (amount, expected) => {
    expect(describeOutcome(await runAction(await createOperator(), amount))).toBe(expected)
  })
})

describe('one person cannot bypass the policy', () => {
  test.each([900_000, paymentThreshold + 1])(
    'by lowering %i, releasing and raising it again',
    async (amount) => {
      const person = await createOperator()
      expect(
        describeOutcome(
          await changePayout(person, await makeHeldPayout(amount), paymentThreshold - 1),
        ),
      ).toBe(awaitsApproval)
      const smallPayout = await makeHeldPayout(paymentThreshold - 1)
      expect([
        describeOutcome(await changePayout(person, smallPayout, 100)),
        describeOutcome(await sendRelease(person, smallPayout)),
        describeOutcome(await changePayout(person, smallPayout, paymentThreshold - 1)),
      ]).toEqual([sentAlone, sentAlone, awaitsApproval])
    },
  )

  test('by creating a payout and increasing it', async () => {
    const person = await createOperator()
    const { body } = await createPayout(person, 100_000)
    const createdPayout = { id: body.data?.id ?? '' }
    expect([
      describeOutcome(await changePayout(person, createdPayout, paymentThreshold - 1)),
      describeOutcome(await changePayout(person, createdPayout, paymentThreshold)),
    ]).toEqual([sentAlone, awaitsApproval])
  })

  test('by increasing a payout that another person released', async () => {
    const payout = await makeHeldPayout(200_000)
    expect(describeOutcome(await sendRelease(await createOperator(), payout))).toBe(sentAlone)
    expect(describeOutcome(await changePayout(await createOperator(), payout, 200_001))).toBe(
      awaitsApproval,
    )
  })

  test('by increasing a payout that two people approved', async () => {
    const payout = await makeHeldPayout(510_000)
    const releaseReply = await sendRelease(await createOperator(), payout)
    const reviewer = await testStack.signIn('reviewer')
    expect(
      (await reviewer.post(`/api/sandbox/desk/approvals/${releaseReply.body.action?.id}/approve`))
        .status,
    ).toBe(200)
    for (const amount of [510_001, 2_000_000_000]) {
      const person = await createOperator()
      const raiseReply = await changePayout(person, payout, amount)
      expect(describeOutcome(raiseReply)).toBe(awaitsApproval)
      expect(
        (await person.post(`/api/sandbox/desk/approvals/${raiseReply.body.action?.id}/withdraw`))
          .status,
      ).toBe(200)
    }
  })

  test.each([
    ['creating', (person: Person) => createPayout(person, paymentThreshold - 1)],
    [
      'releasing',
      async (person: Person) => sendRelease(person, await makeHeldPayout(paymentThreshold - 1)),
    ],
  ])(
    'by splitting: %s, the sixth of $4,999.99 in a day waits, however many are sent at once',
    async (_, move) => {
      const person = await createOperator()
      const replies = await Promise.all(Array.from({ length: 9 }, () => move(person)))
      expect(replies.map(describeOutcome).sort()).toEqual([
        ...Array<string>(5).fill(sentAlone),
        ...Array<string>(4).fill(awaitsApproval),
      ])
      expect(describeOutcome(await createPayout(person, 5))).toBe(sentAlone)
      expect(describeOutcome(await createPayout(person, 6))).toBe(awaitsApproval)
      expect(
        describeOutcome(await createPayout(await createOperator(), paymentThreshold - 1)),
      ).toBe(sentAlone)
    },
  )
})

const writeKinds = ['create', 'change', 'release', 'hold', 'cancel', 'resubmit'] as const
/**
 * Generates a random write. `on`, modulo the number of the person's payouts, selects the payout.
 * Some amounts are near the thresholds.
 */
const stepArbitrary = fc.record({
  attempt: fc.constantFrom(...writeKinds),
  on: fc.nat(100),
  amount: fc.constantFrom(
    1,
    4_999,
    123_457,
    paymentThreshold - 1,
    paymentThreshold,
    paymentThreshold + 1,
    900_001,
    dayThreshold + 1,
  ),
})
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never

async function runStep(
  person: Person,
  payouts: MadePayout[],
  { attempt, on, amount }: Step,
): Promise<void> {
  const payout = payouts[on % payouts.length] as MadePayout
  if (attempt === 'change') await changePayout(person, payout, amount)
  else if (attempt === 'create' || attempt === 'resubmit') {
    const { body } = await (attempt === 'create'
      ? createPayout(person, amount)
      : sendResubmit(person, payout))
    if (body.data?.id) payouts.push({ id: body.data.id, account })
  } else await person.decide(attempt, payout)
}

const sequences = fc.sample(fc.array(stepArbitrary, { minLength: 40, maxLength: 40 }), {
  numRuns: 30,
  seed: 20_261_128,
})

test.each(
  sampleItems(
    sequences.map((walk, number) => ({ number, walk })),
    1,
  ),
)(
  'one person never gets a payout above 4,999.99 or a day above 25,000.00: walk $number',
  async ({ walk }) => {
    const person = await createOperator()
    const payouts = await Promise.all(
      [100, 123_457, paymentThreshold - 1, paymentThreshold, 900_000].map(makeHeldPayout),
    )
    for (const walkStep of walk) await runStep(person, payouts, walkStep)
    const readPayout = ({ id }: MadePayout) =>
      person.get<{ amount: string; status: string }>(
        `/api/sandbox/v1/payouts/${id}?account=${account}`,
      )
    const currentPayouts = (await Promise.all(payouts.map(readPayout))).map(
      ({ body }) => body.data ?? { amount: 'unread', status: 'unread' },
    )
    const activeAmounts = currentPayouts
      .filter(({ status }) => !['on_hold', 'cancelled', 'failed'].includes(status))
      .map(({ amount }) => Number(amount))
    expect(activeAmounts.filter((amount) => !(amount < paymentThreshold))).toEqual([])
    expect(activeAmounts.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(dayThreshold)
  },
)
