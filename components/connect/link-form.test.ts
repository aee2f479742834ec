import { expect, test } from 'vitest'
import { listMetadataFaults } from '@/lib/domain/metadata-rules'
import { bridgeSchemas } from '@/lib/operations/paykeys.schema'
import {
  createConnectValues,
  findRepeatedNumberFault,
  stripSeparators,
  toConnectInput,
} from './link-form'

const customerId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const typedValues = {
  external_id: ' ref-1 ',
  processing_method: 'background',
  sandbox_outcome: 'review',
  metadata: [{ id: '1', key: 'team', value: 'north' }],
}

test('omits empty fields from the input', () => {
  expect(toConnectInput(customerId, createConnectValues(), true)).toEqual({
    customer_id: customerId,
  })
})

test('sends the typed values, and the outcome in the sandbox only', () => {
  const input = toConnectInput(customerId, typedValues, true)
  expect(input).toEqual({
    customer_id: customerId,
    external_id: 'ref-1',
    config: { sandbox_outcome: 'review', processing_method: 'background' },
    metadata: { team: 'north' },
  })
  expect(
    bridgeSchemas['bridge.plaid'].input.safeParse({ ...input, plaid_token: 'processor-1' }).success,
  ).toBe(true)
  expect(toConnectInput(customerId, typedValues, false).config).toEqual({
    processing_method: 'background',
  })
})

test('rejects a number if its repetition differs, ignoring separators', () => {
  expect(findRepeatedNumberFault('0123 4567', '0123-4567')).toEqual({})
  expect(findRepeatedNumberFault('01234567', '01234568')).toHaveProperty('again')
  expect(stripSeparators(' 12-34 5 ')).toBe('12345')
})

test('rejects a metadata line without a value', () => {
  expect(
    listMetadataFaults({ ...typedValues, metadata: [{ id: '1', key: 'team', value: '' }] }),
  ).toHaveProperty('metadata')
  expect(listMetadataFaults(typedValues)).toEqual({})
})
