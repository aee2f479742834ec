import { describe, expect, test } from 'vitest'
import { paykeySources, paykeyStatuses } from '@/lib/operations/enumerations'
import { explainPaykey } from './explain-paykey'
import { getPaykeyReasonText, getPaykeySourceText } from './status-texts'

const createPaykey = (status: string, code?: string, unblock_eligible?: boolean) => ({
  status,
  unblock_eligible,
  status_details: {
    message: undefined,
    reason: undefined,
    source: undefined,
    changed_at: undefined,
    code,
  },
})

test.each(paykeyStatuses)('%s has an explanation', (status) => {
  expect(explainPaykey(createPaykey(status)).line).not.toContain('reports')
})

describe('a block', () => {
  test('names the return code and how to lift it', () => {
    const paykeyExplanation = explainPaykey(createPaykey('blocked', 'R29', true))
    expect(paykeyExplanation.line).toContain('R29')
    expect(paykeyExplanation.clears).toContain('once')
  })
  test('that is permanent suggests another bank account', () => {
    expect(explainPaykey(createPaykey('blocked', 'R02', false)).clears).toContain(
      'another bank account',
    )
  })
  test('without details refers to the provider', () => {
    expect(explainPaykey(createPaykey('blocked', undefined, undefined)).clears).toContain(
      'Ask the provider',
    )
  })
})

test('an unknown status is quoted', () => {
  expect(explainPaykey(createPaykey('frozen')).line).toContain('“frozen”')
  expect(explainPaykey(createPaykey('constructor')).line).toContain('“constructor”')
  expect(explainPaykey(createPaykey('')).line).toBe('The status could not be read')
})

test('unknown reasons and sources stay unchanged', () => {
  expect(getPaykeyReasonText('lunar_phase')).toBe('lunar_phase')
  expect(getPaykeyReasonText('Disputed')).toBe('a payment was disputed')
  expect(getPaykeyReasonText(undefined)).toBeNull()
  expect(getPaykeySourceText('carrier_pigeon')).toBe('carrier_pigeon')
  for (const source of paykeySources) expect(getPaykeySourceText(source)).not.toBe(source)
})
