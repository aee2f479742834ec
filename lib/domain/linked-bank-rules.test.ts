import { describe, expect, test } from 'vitest'
import { linkedBankAccountStatuses } from '@/lib/operations/enumerations'
import { routingNumber } from '@/lib/operations/input.schema'
import { bankNameText, knownRoutingNumbers } from './linked-bank-names'
import { linkingWarnings, nameOf, purposeText, servedBy, whyNotLinked } from './linked-bank-rules'

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
    expect(whyNotLinked('cancel', stuck)).toMatch(/only one that was not handed to verification/)
    expect(whyNotLinked('update', linked('active', [], 'stuck'))).toMatch(/Link another/)
  })

  test('a state nobody knows closes both and is named as it came', () => {
    expect(whyNotLinked('cancel', linked('frozen'))).toMatch(/^It is frozen:/)
    expect(whyNotLinked('update', linked('frozen'))).toMatch(/^It is frozen:/)
  })
})

describe('one bank account for each purpose', () => {
  const charges = linked('active', ['charges', 'billing'])
  test('a taken purpose is named with who serves it', () => {
    expect(linkingWarnings(['charges', 'payouts'], [charges])).toEqual([
      'Charges are served by First Bank ••••1234 already, and each purpose by one only: the service will refuse it.',
    ])
    expect(linkingWarnings(['billing'], [charges])[0]).toMatch(/^Billing is served/)
    expect(linkingWarnings(['payouts'], [charges])).toEqual([])
  })

  test('what is canceled, rejected or switched off holds nothing', () => {
    const gone = ['canceled', 'rejected', 'inactive'].map((status) => linked(status, ['payouts']))
    expect(servedBy(gone, 'payouts')).toBeUndefined()
    expect(linkingWarnings(['payouts'], gone)).toEqual([])
  })

  test('three are the most', () => {
    const three = ['charges', 'payouts', 'billing'].map((purpose) => linked('active', [purpose]))
    expect(linkingWarnings([], three)).toEqual(['There are 3 linked bank accounts already, and 3 are the most.'])
  })
})

test('words', () => {
  expect(purposeText('charges')).toBe('Charges')
  expect(purposeText('reserve')).toBe('reserve')
  expect(nameOf({ bank_account: undefined })).toBe('a bank account without a name')
})

describe('routing numbers with a name', () => {
  test.each(knownRoutingNumbers)('%s is one', (number) => expect(routingNumber.safeParse(number).success).toBe(true))
  test('nothing is said before there are nine digits, and nothing is guessed', () => {
    expect(bankNameText('02100002')).toBeUndefined()
    expect(bankNameText('021000021')).toBe('JPMorgan Chase Bank')
    expect(bankNameText('011000015')).toMatch(/no name/)
  })
})
