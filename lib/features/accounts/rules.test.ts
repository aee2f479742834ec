import { describe, expect, test } from 'vitest'
import type { Account } from '@/lib/operations/accounts.schema'
import { accountStatuses } from '@/lib/operations/enumerations'
import {
  listAccountChanges,
  listRemainingStages,
  simulatedStages,
  simulationRecipes,
  startStatusesByStage,
  whyNotRunRecipe,
  whyNotSimulate,
} from './rules'

describe.each(simulatedStages)('simulating %s', (stage) => {
  test.each(accountStatuses)('is allowed from %s only if the table lists it', (status) => {
    expect(whyNotSimulate(stage, status) === null).toBe(
      startStatusesByStage[stage].includes(status),
    )
  })

  test('names an unknown status in its reason', () =>
    expect(whyNotSimulate(stage, 'parked')).toContain('“parked”'))
})

test('states if the account is already there', () =>
  expect(whyNotSimulate('active', 'active')).toBe('This account is already active.'))

const createAccount = (status: string, reason: string, chargesStatus: string) =>
  ({
    status,
    status_detail: { reason, message: `${reason}.` },
    capabilities: { payment_types: { charges: { capability_status: chargesStatus } } },
  }) as Account

test('lists only the changes of a step', () => {
  expect(
    listAccountChanges(
      createAccount('created', 'unverified', 'inactive'),
      createAccount('active', 'verified', 'active'),
    ),
  ).toEqual([
    { what: 'Status', before: 'Created', after: 'Active' },
    { what: 'Reason', before: 'not submitted for verification yet', after: 'verified' },
    { what: 'Message', before: 'unverified.', after: 'verified.' },
    { what: 'Payment types, charges', before: 'inactive', after: 'active' },
  ])
  const unchangedAccount = createAccount('active', 'verified', 'active')
  expect(listAccountChanges(unchangedAccount, { ...unchangedAccount })).toEqual([])
})

const [activeRecipe, stuckRecipe] = simulationRecipes as [
  (typeof simulationRecipes)[0],
  (typeof simulationRecipes)[0],
]

test('a recipe contains all remaining stages', () => {
  expect(listRemainingStages(activeRecipe, 'created')).toEqual(['onboarding', 'active'])
  expect(listRemainingStages(activeRecipe, 'onboarding')).toEqual(['active'])
  expect(listRemainingStages(activeRecipe, 'active')).toEqual([])
})

test('a recipe is not allowed if its end is reached, passed or unreachable', () => {
  expect(whyNotRunRecipe(activeRecipe, 'created')).toBeNull()
  expect(whyNotRunRecipe(activeRecipe, 'onboarding')).toBeNull()
  expect(whyNotRunRecipe(activeRecipe, 'active')).toBe('This account is already active.')
  expect(whyNotRunRecipe(stuckRecipe, 'onboarding')).toBe('This account is already onboarding.')
  expect(whyNotRunRecipe(stuckRecipe, 'active')).toMatch(
    /no simulation leads from there to onboarding/,
  )
  expect(whyNotRunRecipe(activeRecipe, 'rejected')).toMatch(/^This account is rejected/)
})
