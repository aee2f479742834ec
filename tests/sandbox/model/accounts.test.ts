import fc from 'fast-check'
import { expect } from 'vitest'
import { fullTest } from '@/tests/sandbox/sample'
import { AccountModel } from './account-model'
import { type AccountStep, type Kind, tables } from './account-steps'
import { startStoppedClockSandbox } from './open-world'
import { testSequences } from './sequences'
import { Tally } from './tally'

const { client } = startStoppedClockSandbox()
const tallies = { account: new Tally(), representative: new Tally(), linked_bank_account: new Tally() }

const stepArbitrary: fc.Arbitrary<AccountStep> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('onboard', 'simulate', 'simulate_onboarding', 'simulate_active') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('update_account', 'update_representative', 'update_bank', 'cancel_bank', 'cancel_bank', 'repeat'),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      decide: fc.constantFrom<Kind>('account', 'representative', 'linked_bank_account', 'linked_bank_account'),
      status: fc.constantFrom('onboarding', 'active', 'rejected', 'inactive', 'inactive'),
      stuck: fc.boolean(),
    }),
  },
  // `stuck` is a state of its own for a bank account. Random steps would reach it too rarely.
  { weight: 1, arbitrary: fc.constant({ decide: 'linked_bank_account', status: 'onboarding', stuck: true } as const) },
)

testSequences(
  'accounts with their people and bank accounts',
  { some: 10, all: 100 },
  { start: fc.constant(null), step: stepArbitrary },
  async (_, steps) => {
    const model = await AccountModel.begin({ client: client(), tallies })
    for (const one of steps) await model.take(one)
    await model.refuseUntried(tallies)
    await model.finish()
  },
)

for (const [kind, table] of Object.entries(tables)) {
  fullTest(`the sequences cover every transition of the table of ${kind}, and every refusal`, () => {
    const tally = tallies[kind as Kind]
    // `onboard` of a representative or bank account follows the account's onboarding. Clients cannot request it, so it is never refused.
    const requestableMoves = Object.keys(table.moves).filter((move) => kind === 'account' || move !== 'onboard')
    expect([tally.missing(table, undefined, ['moves']), tally.missing(table, requestableMoves)]).toEqual([[], []])
  })
}
