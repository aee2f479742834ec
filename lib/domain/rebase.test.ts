import { expect, test } from 'vitest'
import { rebase } from './rebase'

const line = (key: string, value: string) => ({ id: key, key, value })
const base = { name: 'Acme', profile: { phone: '', site: 'https://acme.test' }, metadata: [line('tier', 'gold')] }
const now = { ...base, name: 'Acme Payments', profile: { ...base.profile, phone: '+15125550100' } }

test('fields nobody touched follow the object', () => {
  expect(rebase(base, now, base)).toEqual({
    follow: [
      { path: 'name', value: 'Acme Payments' },
      { path: 'profile.phone', value: '+15125550100' },
    ],
    conflicts: [],
  })
})

test('fields both changed are named and stay as they were typed', () => {
  const typed = { ...base, name: 'Acme Two' }
  expect(rebase(base, now, typed)).toMatchObject({ follow: [{ path: 'profile.phone' }], conflicts: ['name'] })
})

test('two people who wrote the same are of one mind', () => {
  expect(rebase(base, now, { ...base, name: 'Acme Payments' }).conflicts).toEqual([])
})

test('metadata counts as one field', () => {
  const later = { ...base, metadata: [line('tier', 'silver')] }
  expect(rebase(base, later, { ...base, metadata: [line('tier', 'bronze')] }).conflicts).toEqual(['metadata'])
})
