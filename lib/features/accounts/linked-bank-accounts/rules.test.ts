import { describe, expect, test } from 'vitest'
import { linkedBankAccountStatuses } from '@/lib/operations/enumerations'
import { routingNumber } from '@/lib/operations/input.schema'
import { findBankName, knownRoutingNumbers } from './names'
import {
  findLinkedAccountForPurpose,
  findLinkingWarnings,
  getLinkedBankName,
  getPurposeLabel,
  whyNotChangeLinkedAccount,
} from './rules'

const createLinkedBankAccount = (status: string, purposes: string[] = [], reason = 'pending') => ({
  status,
  status_detail: { reason, source: 'watchtower', code: undefined, message: undefined },
  purposes,
  bank_account: {
    institution_name: 'First Bank',
    account_holder: 'Shop',
    account_mask: '••••1234',
  },
})

describe('allowed actions', () => {
  test.each(linkedBankAccountStatuses)(
    'cancel and update are allowed only if created: %s',
    (status) => {
      expect(whyNotChangeLinkedAccount('cancel', createLinkedBankAccount(status)) === null).toBe(
        status === 'created',
      )
      expect(whyNotChangeLinkedAccount('update', createLinkedBankAccount(status)) === null).toBe(
        status === 'created',
      )
    },
  )

  test('a stuck bank account can be corrected but not canceled', () => {
    const stuckAccount = createLinkedBankAccount('onboarding', [], 'stuck')
    expect(whyNotChangeLinkedAccount('update', stuckAccount)).toBeNull()
    expect(whyNotChangeLinkedAccount('cancel', stuckAccount)).toMatch(
      /only one not submitted for verification/,
    )
    expect(
      whyNotChangeLinkedAccount('update', createLinkedBankAccount('active', [], 'stuck')),
    ).toMatch(/Link another/)
  })

  test('an unknown status allows neither action and is shown unchanged', () => {
    expect(whyNotChangeLinkedAccount('cancel', createLinkedBankAccount('frozen'))).toMatch(
      /^This bank account is frozen:/,
    )
    expect(whyNotChangeLinkedAccount('update', createLinkedBankAccount('frozen'))).toMatch(
      /^This bank account is frozen:/,
    )
  })
})

describe('one bank account for each purpose', () => {
  const chargesAccount = createLinkedBankAccount('active', ['charges', 'billing'])
  test('a taken purpose is named with its bank account', () => {
    expect(findLinkingWarnings(['charges', 'payouts'], [chargesAccount])).toEqual([
      'Charges are already served by First Bank ••••1234, and each purpose has one bank account: the service will reject this.',
    ])
    expect(findLinkingWarnings(['billing'], [chargesAccount])[0]).toMatch(
      /^Billing is already served/,
    )
    expect(findLinkingWarnings(['payouts'], [chargesAccount])).toEqual([])
  })

  test('a canceled, rejected or inactive bank account serves no purpose', () => {
    const closedAccounts = ['canceled', 'rejected', 'inactive'].map((status) =>
      createLinkedBankAccount(status, ['payouts']),
    )
    expect(findLinkedAccountForPurpose(closedAccounts, 'payouts')).toBeUndefined()
    expect(findLinkingWarnings(['payouts'], closedAccounts)).toEqual([])
  })

  test('the maximum is three bank accounts', () => {
    const threeAccounts = ['charges', 'payouts', 'billing'].map((purpose) =>
      createLinkedBankAccount('active', [purpose]),
    )
    expect(findLinkingWarnings([], threeAccounts)).toEqual([
      'There are already 3 linked bank accounts, and 3 is the maximum.',
    ])
  })
})

test('purposes and names have texts', () => {
  expect(getPurposeLabel('charges')).toBe('Charges')
  expect(getPurposeLabel('reserve')).toBe('reserve')
  expect(getLinkedBankName({ bank_account: undefined })).toBe('an unnamed bank account')
})

describe('routing numbers of known banks', () => {
  test.each(knownRoutingNumbers)('%s is valid', (number) =>
    expect(routingNumber.safeParse(number).success).toBe(true),
  )
  test('the bank name appears only for nine digits and is never guessed', () => {
    expect(findBankName('02100002')).toBeUndefined()
    expect(findBankName('021000021')).toBe('JPMorgan Chase Bank')
    expect(findBankName('011000015')).toMatch(/Bank name not known/)
  })
})
