import { describe, expect, test } from 'vitest'
import { linkedBankAccountStatuses } from '@/lib/operations/enumerations'
import { routingNumber } from '@/lib/operations/input.schema'
import { bankNameText, knownRoutingNumbers } from './names'
import { linkingWarnings, nameOf, purposeText, servedBy, whyNotLinked } from './rules'

const linked = (status: string, purposes: string[] = [], reason = 'pending') => ({
  status,
  status_detail: { reason, source: 'watchtower', code: undefined, message: undefined },
  purposes,
  bank_account: { institution_name: 'First Bank', account_holder: 'Shop', account_mask: '••••1234' },
})

describe('what may be done', () => {
  test.each(linkedBankAccountStatuses)('%s', (status) => {
    expect(whyNotLinked('cancel', linked(status)) === null).toBe(status === 'created')
    expect(whyNotLinked('update', linked(status)) === null).toBe(status === 'created')
  })

  test('one that is stuck is corrected, not canceled', () => {
    const stuck = linked('onboarding', [], 'stuck')
    expect(whyNotLinked('update', stuck)).toBeNull()
    expect(whyNotLinked('cancel', stuck)).toMatch(/only one not submitted for verification/)
    expect(whyNotLinked('update', linked('active', [], 'stuck'))).toMatch(/Link another/)
  })

  test('a state nobody knows closes both and is named as it came', () => {
    expect(whyNotLinked('cancel', linked('frozen'))).toMatch(/^This bank account is frozen:/)
    expect(whyNotLinked('update', linked('frozen'))).toMatch(/^This bank account is frozen:/)
  })
})

describe('one bank account for each purpose', () => {
  const charges = linked('active', ['charges', 'billing'])
  test('a taken purpose is named with who serves it', () => {
    expect(linkingWarnings(['charges', 'payouts'], [charges])).toEqual([
      'Charges are already served by First Bank ••••1234, and each purpose has one bank account: the service will reject this.',
    ])
    expect(linkingWarnings(['billing'], [charges])[0]).toMatch(/^Billing is already served/)
    expect(linkingWarnings(['payouts'], [charges])).toEqual([])
  })

  test('what is canceled, rejected or switched off holds nothing', () => {
    const closedAccounts = ['canceled', 'rejected', 'inactive'].map((status) => linked(status, ['payouts']))
    expect(servedBy(closedAccounts, 'payouts')).toBeUndefined()
    expect(linkingWarnings(['payouts'], closedAccounts)).toEqual([])
  })

  test('three are the most', () => {
    const three = ['charges', 'payouts', 'billing'].map((purpose) => linked('active', [purpose]))
    expect(linkingWarnings([], three)).toEqual(['There are already 3 linked bank accounts, and 3 is the maximum.'])
  })
})

test('words', () => {
  expect(purposeText('charges')).toBe('Charges')
  expect(purposeText('reserve')).toBe('reserve')
  expect(nameOf({ bank_account: undefined })).toBe('an unnamed bank account')
})

describe('routing numbers with a name', () => {
  test.each(knownRoutingNumbers)('%s is one', (number) => expect(routingNumber.safeParse(number).success).toBe(true))
  test('nothing is said before there are nine digits, and nothing is guessed', () => {
    expect(bankNameText('02100002')).toBeUndefined()
    expect(bankNameText('021000021')).toBe('JPMorgan Chase Bank')
    expect(bankNameText('011000015')).toMatch(/Bank name not known/)
  })
})
