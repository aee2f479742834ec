import fc from 'fast-check'
import { expect } from 'vitest'
import { testInFullRun } from '@/tests/sandbox/sample'
import { AccountModel } from './account-model'
import { type AccountStep, machinesByKind, type ObjectKind } from './account-steps'
import { startStoppedClockSandbox } from './open-world'
import { testSequences } from './sequences'
import { MoveTally } from './tally'

const { client } = startStoppedClockSandbox()
const moveTallies = {
  account: new MoveTally(),
  representative: new MoveTally(),
  linked_bank_account: new MoveTally(),
}

const stepArbitrary: fc.Arbitrary<AccountStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('onboard', 'simulate', 'simulate_onboarding', 'simulate_active'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'update_account',
      'update_representative',
      'update_bank',
      'cancel_bank',
      'cancel_bank',
      'repeat',
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      decide: fc.constantFrom<ObjectKind>(
        'account',
        'representative',
        'linked_bank_account',
        'linked_bank_account',
      ),
      status: fc.constantFrom('onboarding', 'active', 'rejected', 'inactive', 'inactive'),
      stuck: fc.boolean(),
    }),
  },
  // Extra steps to `stuck`, which only a linked bank account has as a separate state. The random
  // steps above would reach it too rarely.
  {
    weight: 1,
    arbitrary: fc.constant({
      decide: 'linked_bank_account',
      status: 'onboarding',
      stuck: true,
    } as const),
  },
)

testSequences(
  'accounts with their people and bank accounts',
  { some: 10, all: 100 },
  { start: fc.constant(null), step: stepArbitrary },
  async (_, steps) => {
    const model = await AccountModel.begin({ client: client(), tallies: moveTallies })
    for (const step of steps) await model.take(step)
    await model.refuseUntried(moveTallies)
    await model.finish()
  },
)

for (const [kind, table] of Object.entries(machinesByKind)) {
  testInFullRun(
    `the sequences cover every transition of the table of ${kind}, and every refusal`,
    () => {
      const moveTally = moveTallies[kind as ObjectKind]
      // A representative or linked bank account is onboarded together with its account. Clients
      // cannot request that move, so it is never refused.
      const requestableMoves = Object.keys(table.moves).filter(
        (move) => kind === 'account' || move !== 'onboard',
      )
      expect([
        moveTally.missing(table, undefined, ['moves']),
        moveTally.missing(table, requestableMoves),
      ]).toEqual([[], []])
    },
  )
}
