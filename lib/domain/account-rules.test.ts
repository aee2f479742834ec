import { describe, expect, test } from 'vitest'
import type { Account } from '@/lib/operations/accounts.schema'
import { accountStatuses } from '@/lib/operations/enumerations'
import { accountChanges, simulatedStages, simulatesFrom, whyNotSimulate } from './account-rules'

describe.each(simulatedStages)('simulating %s', (stage) => {
  test.each(accountStatuses)('from %s follows the table', (status) => {
    expect(whyNotSimulate(stage, status) === null).toBe(simulatesFrom[stage].includes(status))
  })

  test('names a state it does not know', () => expect(whyNotSimulate(stage, 'parked')).toContain('“parked”'))
})

test('a stage that is there already says so', () => expect(whyNotSimulate('active', 'active')).toBe('It is active already.'))

const account = (status: string, reason: string, charges: string) =>
  ({
    status,
    status_detail: { reason, message: `${reason}.` },
    capabilities: { payment_types: { charges: { capability_status: charges } } },
  }) as Account

test('what a step changed, and nothing else', () => {
  expect(accountChanges(account('created', 'unverified', 'inactive'), account('active', 'verified', 'active'))).toEqual([
    { what: 'Status', before: 'Created', after: 'Active' },
    { what: 'Reason', before: 'not handed to verification yet', after: 'verified' },
    { what: 'Message', before: 'unverified.', after: 'verified.' },
    { what: 'Payment types, charges', before: 'inactive', after: 'active' },
  ])
  const same = account('active', 'verified', 'active')
  expect(accountChanges(same, { ...same })).toEqual([])
})
