import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { paykeyMachine } from '@/sandbox/paykeys/paykey-store'
import { testInFullRun } from '@/tests/sandbox/sample'
import { createModelTestData, type ModelTestData, startStoppedClockSandbox } from './open-world'
import { PaykeyModel, type PaykeyStart, type PaykeyStep } from './paykey-model'
import { testSequences } from './sequences'
import { MoveTally } from './tally'

const { client } = startStoppedClockSandbox()
const moveTally = new MoveTally()
let testData: ModelTestData | undefined
beforeAll(async () => {
  testData = await createModelTestData(client())
})

const startArbitrary: fc.Arbitrary<PaykeyStart> = fc.record({
  source: fc.constantFrom('bank_account', 'plaid'),
  outcome: fc.constantFrom('standard', 'active', 'review', 'review', 'rejected'),
  method: fc.constantFrom('inline', 'background'),
})

const stepArbitrary: fc.Arbitrary<PaykeyStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'approve',
      'approve',
      'reject',
      'unblock',
      'unblock',
      'refresh_review',
      'refresh_balance',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('cancel', 'repeat', 'repeat') },
  { weight: 2, arbitrary: fc.constantFrom('R29', 'R29', 'R05', 'R02') },
  { weight: 3, arbitrary: fc.constantFrom(1, 3, 5, 8) },
)

testSequences(
  'paykeys',
  { some: 12, all: 450 },
  { start: startArbitrary, step: stepArbitrary },
  async (overrides, steps) => {
    if (!testData) throw new Error('the world is made before the sequences')
    const model = await PaykeyModel.begin({ world: testData, tally: moveTally }, overrides)
    for (const step of steps) await model.take(step)
    await model.finish()
  },
)

testInFullRun(
  'the sequences cover every transition of the table from each of its statuses, and every refusal',
  () => {
    const requestableMoves = Object.entries(paykeyMachine.moves).flatMap(([name, { by }]) =>
      by === 'ask' ? [name] : [],
    )
    // The sequences cannot reach these moves: a repeated verification has the same result as the
    // first, and only charges on an active paykey reach the bank, whose return blocks the paykey.
    const unreachableMoves = [
      'pass from review',
      'fail from active',
      'fail from review',
      'block from pending',
      'block from review',
      'close from blocked',
    ]
    const missingMoves = moveTally.missing(paykeyMachine, undefined, ['moves', 'already'])
    expect([missingMoves.toSorted(), moveTally.missing(paykeyMachine, requestableMoves)]).toEqual([
      unreachableMoves.toSorted(),
      [],
    ])
  },
)
