import { describe, expect, test } from 'vitest'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { bankInput, newInput, newValues, numberFaults, valuesOf } from './fields'

const account = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60'
const bank_account = { account_holder: 'Corner Shop', routing_number: '0210-0002-1', account_number: '9000 1234 5678' }
const filled = { ...newValues(account), bank_account, again: '900012345678', purposes: { charges: true, payouts: false, billing: true } }
const faults = (input: unknown) =>
  linkedBankAccountSchemas['linked_bank_accounts.create'].input.safeParse(input).error?.issues.map((issue) => issue.path.join('.'))

describe('a new one', () => {
  test('is sent without the spaces of the eye, in the order of the purposes', () => {
    expect(newInput(filled)).toEqual({
      account_id: account,
      bank_account: { account_holder: 'Corner Shop', routing_number: '021000021', account_number: '900012345678' },
      purposes: ['charges', 'billing'],
    })
    expect(faults(newInput(filled))).toBeUndefined()
  })

  test('of the platform names no account', () => {
    expect(newInput({ ...filled, owner: 'platform' })).not.toHaveProperty('account_id')
  })

  test('needs a purpose, and letters among the digits are refused', () => {
    expect(faults(newInput({ ...filled, purposes: { charges: false, payouts: false, billing: false } }))).toEqual(['purposes'])
    expect(faults(newInput({ ...filled, bank_account: { ...bank_account, account_number: '12x4' } }))).toEqual([
      'bank_account.account_number',
    ])
  })
})

test('the number has to be the same twice', () => {
  expect(numberFaults(filled)).toEqual({})
  expect(numberFaults({ ...filled, again: '900012345679' })).toEqual({ again: 'does not match' })
})

test('a correction never begins with a mask', () => {
  const linked = linkedBankAccountSchemas['linked_bank_accounts.get'].output.parse({
    id: account,
    status: 'created',
    bank_account: { institution_name: 'First Bank', account_holder: 'Corner Shop', account_mask: '5678' },
  })
  expect(bankInput(valuesOf(linked))).toEqual({ account_holder: 'Corner Shop', routing_number: '', account_number: '' })
})
