import { describe, expect, test } from 'vitest'
import { linkedBankAccountStatuses } from '@/lib/operations/enumerations'
import { routingNumber } from '@/lib/operations/input.schema'
import { bankNameText, knownRoutingNumbers } from './names'
import { findLinkedForPurpose, linkedBankName, linkingWarnings, purposeText, whyNotChangeLinked } from './rules'

const linked = (status: string, purposes: string[] = [], reason = 'pending') => ({
  status,
  status_detail: { reason, source: 'watchtower', code: undefined, message: undefined },
  purposes,
  bank_account: { institution_name: 'First Bank', account_holder: 'Shop', account_mask: '••••1234' },
})

describe('allowed actions', () => {
  test.each(linkedBankAccountStatuses)('cancel and update are allowed only if created: %s', (status) => {
    expect(whyNotChangeLinked('cancel', linked(status)) === null).toBe(status === 'created')
    expect(whyNotChangeLinked('update', linked(status)) === null).toBe(status === 'created')
  })

  test('a stuck bank account can be corrected but not canceled', () => {
    const stuck = linked('onboarding', [], 'stuck')
    expect(whyNotChangeLinked('update', stuck)).toBeNull()
    expect(whyNotChangeLinked('cancel', stuck)).toMatch(/only one not submitted for verification/)
    expect(whyNotChangeLinked('update', linked('active', [], 'stuck'))).toMatch(/Link another/)
  })

  test('an unknown status allows neither action and is shown unchanged', () => {
    expect(whyNotChangeLinked('cancel', linked('frozen'))).toMatch(/^This bank account is frozen:/)
    expect(whyNotChangeLinked('update', linked('frozen'))).toMatch(/^This bank account is frozen:/)
  })
})

describe('one bank account for each purpose', () => {
  const charges = linked('active', ['charges', 'billing'])
  test('a taken purpose is named with its bank account', () => {
    expect(linkingWarnings(['charges', 'payouts'], [charges])).toEqual([
      'Charges are already served by First Bank ••••1234, and each purpose has one bank account: the service will reject this.',
    ])
    expect(linkingWarnings(['billing'], [charges])[0]).toMatch(/^Billing is already served/)
    expect(linkingWarnings(['payouts'], [charges])).toEqual([])
  })

  test('a canceled, rejected or inactive bank account serves no purpose', () => {
    const closedAccounts = ['canceled', 'rejected', 'inactive'].map((status) => linked(status, ['payouts']))
    expect(findLinkedForPurpose(closedAccounts, 'payouts')).toBeUndefined()
    expect(linkingWarnings(['payouts'], closedAccounts)).toEqual([])
  })

  test('the maximum is three bank accounts', () => {
    const three = ['charges', 'payouts', 'billing'].map((purpose) => linked('active', [purpose]))
    expect(linkingWarnings([], three)).toEqual(['There are already 3 linked bank accounts, and 3 is the maximum.'])
  })
})

test('purposes and names have texts', () => {
  expect(purposeText('charges')).toBe('Charges')
  expect(purposeText('reserve')).toBe('reserve')
  expect(linkedBankName({ bank_account: undefined })).toBe('an unnamed bank account')
})

describe('routing numbers of known banks', () => {
  test.each(knownRoutingNumbers)('%s is valid', (number) => expect(routingNumber.safeParse(number).success).toBe(true))
  test('the bank name appears only for nine digits and is never guessed', () => {
    expect(bankNameText('02100002')).toBeUndefined()
    expect(bankNameText('021000021')).toBe('JPMorgan Chase Bank')
    expect(bankNameText('011000015')).toMatch(/Bank name not known/)
  })
})
