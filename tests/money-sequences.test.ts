import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'
import { type MoneyDesk, moneyActions, openMoneyDesk } from './harness/money-desk'
import type { Person, Reply } from './harness/person'
import type { MadePayout } from './harness/sandbox'

/**
 * Thresholds of the default approval policy, in cents. A write needs another person's approval if
 * its amount reaches the first, or if the requester's total of the day exceeds the second.
 */
const [paymentThreshold, dayThreshold] = [500_000, 2_500_000]
const [sentAlone, awaitsApproval] = ['alone', 'waits'] as const

let moneyDesk: MoneyDesk
beforeAll(async () => {
  moneyDesk = await openMoneyDesk()
})
afterAll(() => moneyDesk?.testStack.stop())

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
    expect(
      describeOutcome(await runAction(moneyDesk, await moneyDesk.createOperator(), amount)),
    ).toBe(expected)
  })
})

describe('one person cannot bypass the policy', () => {
  test.each([900_000, paymentThreshold + 1])(
    'by lowering %i, releasing and raising it again',
    async (amount) => {
      const person = await moneyDesk.createOperator()
      expect(
        describeOutcome(
          await moneyDesk.changePayout(
            person,
            await moneyDesk.makeHeldPayout(amount),
            paymentThreshold - 1,
          ),
        ),
      ).toBe(awaitsApproval)
      const smallPayout = await moneyDesk.makeHeldPayout(paymentThreshold - 1)
      expect([
        describeOutcome(await moneyDesk.changePayout(person, smallPayout, 100)),
        describeOutcome(await moneyDesk.sendRelease(person, smallPayout)),
        describeOutcome(await moneyDesk.changePayout(person, smallPayout, paymentThreshold - 1)),
      ]).toEqual([sentAlone, sentAlone, awaitsApproval])
    },
  )

  test('by creating a payout and increasing it', async () => {
    const person = await moneyDesk.createOperator()
    const { body } = await moneyDesk.createPayout(person, 100_000)
    const createdPayout = { id: body.data?.id ?? '' }
    expect([
      describeOutcome(await moneyDesk.changePayout(person, createdPayout, paymentThreshold - 1)),
      describeOutcome(await moneyDesk.changePayout(person, createdPayout, paymentThreshold)),
    ]).toEqual([sentAlone, awaitsApproval])
  })

  test('by increasing a payout that another person released', async () => {
    const payout = await moneyDesk.makeHeldPayout(200_000)
    expect(
      describeOutcome(await moneyDesk.sendRelease(await moneyDesk.createOperator(), payout)),
    ).toBe(sentAlone)
    expect(
      describeOutcome(
        await moneyDesk.changePayout(await moneyDesk.createOperator(), payout, 200_001),
      ),
    ).toBe(awaitsApproval)
  })

  test('by increasing a payout that two people approved', async () => {
    const payout = await moneyDesk.makeHeldPayout(510_000)
    const releaseReply = await moneyDesk.sendRelease(await moneyDesk.createOperator(), payout)
    const reviewer = await moneyDesk.testStack.signIn('reviewer')
    expect(
      (await reviewer.post(`/api/sandbox/desk/approvals/${releaseReply.body.action?.id}/approve`))
        .status,
    ).toBe(200)
    for (const amount of [510_001, 2_000_000_000]) {
      const person = await moneyDesk.createOperator()
      const raisedAmountReply = await moneyDesk.changePayout(person, payout, amount)
      expect(describeOutcome(raisedAmountReply)).toBe(awaitsApproval)
      expect(
        (
          await person.post(
            `/api/sandbox/desk/approvals/${raisedAmountReply.body.action?.id}/withdraw`,
          )
        ).status,
      ).toBe(200)
    }
  })

  test.each([
    ['creating', (person: Person) => moneyDesk.createPayout(person, paymentThreshold - 1)],
    [
      'releasing',
      async (person: Person) =>
        moneyDesk.sendRelease(person, await moneyDesk.makeHeldPayout(paymentThreshold - 1)),
    ],
  ])(
    'by splitting: %s, the sixth of $4,999.99 in a day waits, however many are sent at once',
    async (_, move) => {
      const person = await moneyDesk.createOperator()
      const replies = await Promise.all(Array.from({ length: 9 }, () => move(person)))
      expect(replies.map(describeOutcome).sort()).toEqual([
        ...Array<string>(5).fill(sentAlone),
        ...Array<string>(4).fill(awaitsApproval),
      ])
      expect(describeOutcome(await moneyDesk.createPayout(person, 5))).toBe(sentAlone)
      expect(describeOutcome(await moneyDesk.createPayout(person, 6))).toBe(awaitsApproval)
      expect(
        describeOutcome(
          await moneyDesk.createPayout(await moneyDesk.createOperator(), paymentThreshold - 1),
        ),
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
type MoneyWriteStep = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never

async function runStep(
  person: Person,
  payouts: MadePayout[],
  { attempt, on, amount }: MoneyWriteStep,
): Promise<void> {
  const payout = payouts[on % payouts.length] as MadePayout
  if (attempt === 'change') await moneyDesk.changePayout(person, payout, amount)
  else if (attempt === 'create' || attempt === 'resubmit') {
    const { body } = await (attempt === 'create'
      ? moneyDesk.createPayout(person, amount)
      : moneyDesk.sendResubmit(person, payout))
    if (body.data?.id) payouts.push({ id: body.data.id, account: moneyDesk.account })
  } else await person.decide(attempt, payout)
}

const writeSequences = fc.sample(fc.array(stepArbitrary, { minLength: 40, maxLength: 40 }), {
  numRuns: 30,
  seed: 20_261_128,
})

test.each(
  sampleItems(
    writeSequences.map((walk, number) => ({ number, walk })),
    1,
  ),
)(
  'one person never gets a payout above 4,999.99 or a day above 25,000.00: walk $number',
  async ({ walk }) => {
    const person = await moneyDesk.createOperator()
    const payouts = await Promise.all(
      [100, 123_457, paymentThreshold - 1, paymentThreshold, 900_000].map(moneyDesk.makeHeldPayout),
    )
    for (const walkStep of walk) await runStep(person, payouts, walkStep)
    const readPayout = ({ id }: MadePayout) =>
      person.get<{ amount: string; status: string }>(
        `/api/sandbox/v1/payouts/${id}?account=${moneyDesk.account}`,
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
