import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { customerMachine } from '@/sandbox/customers/customer-store'
import { testInFullRun } from '@/tests/sandbox/sample'
import { CustomerModel, type CustomerStart, type CustomerStep } from './customer-model'
import { createModelTestData, type ModelTestData, startStoppedClockSandbox } from './open-world'
import { testSequences } from './sequences'
import { MoveTally } from './tally'

const { client } = startStoppedClockSandbox()
const moveTally = new MoveTally()
let testData: ModelTestData | undefined
beforeAll(async () => {
  testData = await createModelTestData(client())
})

const startArbitrary: fc.Arbitrary<CustomerStart> = fc.record({
  outcome: fc.constantFrom('standard', 'verified', 'review', 'review', 'rejected'),
  method: fc.constantFrom('inline', 'background'),
})

const stepArbitrary: fc.Arbitrary<CustomerStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'decide_verified',
      'decide_rejected',
      'refresh',
      'refresh',
      'refresh',
      'repeat',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ set: fc.constantFrom(...customerMachine.states), rename: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.constantFrom(1, 8, 8) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((one) => (one === 1 ? 'delete' : 1)) },
)

testSequences(
  'customers',
  { some: 12, all: 300 },
  { start: startArbitrary, step: stepArbitrary },
  async (overrides, steps) => {
    if (!testData) throw new Error('the world is made before the sequences')
    const model = await CustomerModel.begin({ world: testData, tally: moveTally }, overrides)
    for (const step of steps) await model.take(step)
    await model.finish()
  },
)

testInFullRun(
  'the sequences cover every transition of the table from each of its statuses, and every refusal',
  () => {
    const requestableMoves = Object.entries(customerMachine.moves).flatMap(([name, { by }]) =>
      by === 'ask' ? [name] : [],
    )
    // A repeated verification has the same result as the first, so a customer in review stays in
    // review.
    const unreachableMoves = ['pass from review', 'fail from review']
    expect([
      moveTally.missing(customerMachine, undefined, ['moves', 'already']),
      moveTally.missing(customerMachine, requestableMoves),
    ]).toEqual([unreachableMoves, []])
  },
)
