import { expect, test } from 'vitest'
import { rebase } from './rebase'

const createLine = (key: string, value: string) => ({ id: key, key, value })
const base = { name: 'Acme', profile: { phone: '', site: 'https://acme.test' }, metadata: [createLine('tier', 'gold')] }
const now = { ...base, name: 'Acme Payments', profile: { ...base.profile, phone: '+15125550100' } }

test('untouched fields take the new values of the object', () => {
  expect(rebase(base, now, base)).toEqual({
    follow: [
      { path: 'name', value: 'Acme Payments' },
      { path: 'profile.phone', value: '+15125550100' },
    ],
    conflicts: [],
  })
})

test('a field changed by both is a conflict and keeps the typed value', () => {
  const typedValues = { ...base, name: 'Acme Two' }
  expect(rebase(base, now, typedValues)).toMatchObject({ follow: [{ path: 'profile.phone' }], conflicts: ['name'] })
})

test('the same change by both is not a conflict', () => {
  expect(rebase(base, now, { ...base, name: 'Acme Payments' }).conflicts).toEqual([])
})

test('metadata counts as one field', () => {
  const laterValues = { ...base, metadata: [createLine('tier', 'silver')] }
  expect(rebase(base, laterValues, { ...base, metadata: [createLine('tier', 'bronze')] }).conflicts).toEqual(['metadata'])
})
