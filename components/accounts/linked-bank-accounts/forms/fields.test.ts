import { describe, expect, test } from 'vitest'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import {
  createInitialLinkedAccountValues,
  findBankNumberFaults,
  toBankAccountInput,
  toBankNumberValues,
  toCreateInput,
} from './fields'

const accountId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60'
const bank_account = {
  account_holder: 'Corner Shop',
  routing_number: '0210-0002-1',
  account_number: '9000 1234 5678',
}
const filledValues = {
  ...createInitialLinkedAccountValues(accountId),
  bank_account,
  again: '900012345678',
  purposes: { charges: true, payouts: false, billing: true },
}
const findInvalidPaths = (input: unknown) =>
  linkedBankAccountSchemas['linked_bank_accounts.create'].input
    .safeParse(input)
    .error?.issues.map((issue) => issue.path.join('.'))

describe('input of a new linked bank account', () => {
  test('has no spaces in the numbers and lists the purposes in a fixed order', () => {
    expect(toCreateInput(filledValues)).toEqual({
      account_id: accountId,
      bank_account: {
        account_holder: 'Corner Shop',
        routing_number: '021000021',
        account_number: '900012345678',
      },
      purposes: ['charges', 'billing'],
    })
    expect(findInvalidPaths(toCreateInput(filledValues))).toBeUndefined()
  })

  test('has no account ID if the platform owns the bank account', () => {
    expect(toCreateInput({ ...filledValues, owner: 'platform' })).not.toHaveProperty('account_id')
  })

  test('is rejected without a purpose or with letters in the account number', () => {
    expect(
      findInvalidPaths(
        toCreateInput({
          ...filledValues,
          purposes: { charges: false, payouts: false, billing: false },
        }),
      ),
    ).toEqual(['purposes'])
    expect(
      findInvalidPaths(
        toCreateInput({
          ...filledValues,
          bank_account: { ...bank_account, account_number: '12x4' },
        }),
      ),
    ).toEqual(['bank_account.account_number'])
  })
})

test('rejects an account number if its repetition differs', () => {
  expect(findBankNumberFaults(filledValues)).toEqual({})
  expect(findBankNumberFaults({ ...filledValues, again: '900012345679' })).toEqual({
    again: 'Must match the number above.',
  })
})

test('never prefills a correction with a masked number', () => {
  const linkedAccount = linkedBankAccountSchemas['linked_bank_accounts.get'].output.parse({
    id: accountId,
    status: 'created',
    bank_account: {
      institution_name: 'First Bank',
      account_holder: 'Corner Shop',
      account_mask: '5678',
    },
  })
  expect(toBankAccountInput(toBankNumberValues(linkedAccount))).toEqual({
    account_holder: 'Corner Shop',
    routing_number: '',
    account_number: '',
  })
})
