import { expect, test } from 'vitest'
import { rebaseFormValues } from './rebase'

const createMetadataLine = (key: string, value: string) => ({ id: key, key, value })
const initialValues = {
  name: 'Acme',
  profile: { phone: '', site: 'https://acme.test' },
  metadata: [createMetadataLine('tier', 'gold')],
}
const currentValues = {
  ...initialValues,
  name: 'Acme Payments',
  profile: { ...initialValues.profile, phone: '+15125550100' },
}

test('untouched fields take the new values of the object', () => {
  expect(rebaseFormValues(initialValues, currentValues, initialValues)).toEqual({
    follow: [
      { path: 'name', value: 'Acme Payments' },
      { path: 'profile.phone', value: '+15125550100' },
    ],
    conflicts: [],
  })
})

test('a field changed by both is a conflict and keeps the typed value', () => {
  const typedValues = { ...initialValues, name: 'Acme Two' }
  expect(rebaseFormValues(initialValues, currentValues, typedValues)).toMatchObject({
    follow: [{ path: 'profile.phone' }],
    conflicts: ['name'],
  })
})

test('the same change by both is not a conflict', () => {
  expect(
    rebaseFormValues(initialValues, currentValues, { ...initialValues, name: 'Acme Payments' })
      .conflicts,
  ).toEqual([])
})

test('metadata counts as one field', () => {
  const laterValues = { ...initialValues, metadata: [createMetadataLine('tier', 'silver')] }
  expect(
    rebaseFormValues(initialValues, laterValues, {
      ...initialValues,
      metadata: [createMetadataLine('tier', 'bronze')],
    }).conflicts,
  ).toEqual(['metadata'])
})
