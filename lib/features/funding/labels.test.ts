import { expect, test } from 'vitest'
import { fundingEventTypes } from '@/lib/operations/enumerations'
import {
  getDirectionLabel,
  getFundingReasonLabel,
  getFundingTypeLabel,
  getFundingTypeMeaning,
} from './labels'

test.each(fundingEventTypes)('%s has a label and a meaning', (type) => {
  expect(getFundingTypeLabel(type)).not.toBe(type)
  expect(getFundingTypeMeaning(type)).toMatch(/\.$/)
})

test('unknown values stay unchanged', () => {
  expect(getFundingTypeLabel('fee_debit')).toBe('fee_debit')
  expect(getFundingTypeMeaning('fee_debit')).toBeUndefined()
  expect(getFundingTypeLabel(undefined)).toBe('Unknown')
  expect(getDirectionLabel('sideways')).toBe('sideways')
  expect(getDirectionLabel('deposit')).toBe('Deposit')
  expect(getFundingReasonLabel('fee')).toBe('fee')
})
