import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { paymentMachine } from '@/sandbox/payments/payment-moves'
import { testInFullRun } from '@/tests/sandbox/sample'
import { createModelTestData, type ModelTestData, startStoppedClockSandbox } from './open-world'
import type { PaymentStart, PaymentStep } from './payment-input'
import { PaymentModel } from './payment-model'
import { forcedEntriesByOutcome } from './payment-oracle'
import { testSequences } from './sequences'
import { MoveTally } from './tally'

const { client } = startStoppedClockSandbox()
const moveTally = new MoveTally()
let testData: ModelTestData | undefined
beforeAll(async () => {
  testData = await createModelTestData(client())
})

const startArbitrary: fc.Arbitrary<PaymentStart> = fc.record({
  type: fc.constantFrom('charge', 'payout'),
  outcome: fc.constantFrom(...Object.keys(forcedEntriesByOutcome)),
  balanceCheck: fc.constantFrom('disabled', 'enabled', 'required'),
  autoHold: fc.integer({ min: 1, max: 5 }).map((one) => one === 1),
  paykey: fc.constantFrom('active', 'active', 'review'),
})

const stepArbitrary: fc.Arbitrary<PaymentStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('hold', 'release', 'release', 'update', 'resubmit', 'refund'),
  },
  { weight: 1, arbitrary: fc.constantFrom('cancel', 'upload', 'repeat') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'approve_paykey',
      'approve_paykey',
      'refresh_paykey',
      'refresh_paykey',
      'reject_paykey',
      'cancel_paykey',
    ),
  },
  { weight: 6, arbitrary: fc.constantFrom(1, 5, 5, 20, 60, 60, 300, 300) },
)

testSequences(
  'charges and payouts',
  { some: 20, all: 900 },
  { start: startArbitrary, step: stepArbitrary },
  async (overrides, steps) => {
    if (!testData) throw new Error('the world is made before the sequences')
    const model = await PaymentModel.begin({ world: testData, tally: moveTally }, overrides)
    for (const step of steps) await model.take(step)
    await model.refuseUntried()
    await model.finish()
  },
)

testInFullRun(
  'the sequences cover every transition of the table from each of its statuses, and every refusal',
  () => {
    const requestableMoves = Object.entries(paymentMachine.moves).flatMap(([name, { by }]) =>
      by === 'ask' ? [name] : [],
    )
    // No payment of the sandbox is ever in `validating`. Only the interface document has that
    // status.
    const missingRefusals = moveTally
      .missing(paymentMachine, requestableMoves, ['refused'])
      .filter((line) => !line.endsWith('from validating'))
    expect([
      moveTally.missing(paymentMachine, undefined, ['moves', 'already']),
      missingRefusals,
    ]).toEqual([[], []])
  },
)
