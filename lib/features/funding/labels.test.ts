import { expect, test } from 'vitest'
import { fundingEventTypes } from '@/lib/operations/enumerations'
import { directionText, fundingReasonText, fundingTypeMeaning, fundingTypeText } from './labels'

test.each(fundingEventTypes)('%s has a label and a meaning', (type) => {
  expect(fundingTypeText(type)).not.toBe(type)
  expect(fundingTypeMeaning(type)).toMatch(/\.$/)
})

test('unknown values stay unchanged', () => {
  expect(fundingTypeText('fee_debit')).toBe('fee_debit')
  expect(fundingTypeMeaning('fee_debit')).toBeUndefined()
  expect(fundingTypeText(undefined)).toBe('Unknown')
  expect(directionText('sideways')).toBe('sideways')
  expect(directionText('deposit')).toBe('Deposit')
  expect(fundingReasonText('fee')).toBe('fee')
})
