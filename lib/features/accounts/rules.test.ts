import { describe, expect, test } from 'vitest'
import type { Account } from '@/lib/operations/accounts.schema'
import { accountStatuses } from '@/lib/operations/enumerations'
import { accountChanges, accountRecipes, simulatedStages, simulatesFrom, stagesLeft, whyNotPlay, whyNotSimulate } from './rules'

describe.each(simulatedStages)('simulating %s', (stage) => {
  test.each(accountStatuses)('from %s follows the table', (status) => {
    expect(whyNotSimulate(stage, status) === null).toBe(simulatesFrom[stage].includes(status))
  })

  test('names a state it does not know', () => expect(whyNotSimulate(stage, 'parked')).toContain('“parked”'))
})

test('a stage that is there already says so', () => expect(whyNotSimulate('active', 'active')).toBe('This account is already active.'))

const account = (status: string, reason: string, charges: string) =>
  ({
    status,
    status_detail: { reason, message: `${reason}.` },
    capabilities: { payment_types: { charges: { capability_status: charges } } },
  }) as Account

test('what a step changed, and nothing else', () => {
  expect(accountChanges(account('created', 'unverified', 'inactive'), account('active', 'verified', 'active'))).toEqual([
    { what: 'Status', before: 'Created', after: 'Active' },
    { what: 'Reason', before: 'not submitted for verification yet', after: 'verified' },
    { what: 'Message', before: 'unverified.', after: 'verified.' },
    { what: 'Payment types, charges', before: 'inactive', after: 'active' },
  ])
  const same = account('active', 'verified', 'active')
  expect(accountChanges(same, { ...same })).toEqual([])
})

const [whole, stuck] = accountRecipes as [(typeof accountRecipes)[0], (typeof accountRecipes)[0]]

test('a recipe goes through every stage that is left', () => {
  expect(stagesLeft(whole, 'created')).toEqual(['onboarding', 'active'])
  expect(stagesLeft(whole, 'onboarding')).toEqual(['active'])
  expect(stagesLeft(whole, 'active')).toEqual([])
})

test('a recipe is closed where the account is there, is beyond it, or is on no stage', () => {
  expect(whyNotPlay(whole, 'created')).toBeNull()
  expect(whyNotPlay(whole, 'onboarding')).toBeNull()
  expect(whyNotPlay(whole, 'active')).toBe('This account is already active.')
  expect(whyNotPlay(stuck, 'onboarding')).toBe('This account is already onboarding.')
  expect(whyNotPlay(stuck, 'active')).toMatch(/no simulation leads from there to onboarding/)
  expect(whyNotPlay(whole, 'rejected')).toMatch(/^This account is rejected/)
})
