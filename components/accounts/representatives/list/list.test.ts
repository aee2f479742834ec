import { expect, test } from 'vitest'
import type { Representative } from '@/lib/operations/representatives.schema'
import { toRepresentativeRow } from './list'

const person: Representative = {
  id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  account_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60',
  user_id: undefined,
  status: 'onboarding',
  status_detail: { reason: 'stuck', source: 'watchtower', code: '', message: undefined },
  first_name: 'Ann',
  last_name: 'Lee',
  name: undefined,
  dob: '****-**-**',
  ssn_last4: '****',
  email: undefined,
  mobile_number: undefined,
  phone: undefined,
  relationship: {
    primary: true,
    control: undefined,
    owner: true,
    percent_ownership: 12.5,
    title: 'Partner',
  },
  external_id: undefined,
  metadata: {},
  created_at: undefined,
  updated_at: undefined,
}

test('a row of a stuck representative shows the reason and the “held” tone', () => {
  expect(toRepresentativeRow(person)).toMatchObject({
    name: 'Ann Lee',
    tone: 'held',
    why: 'the service needs more information',
    relationship: 'primary, owns 12.5%',
  })
})

test('a verified representative has no reason, and a platform representative has no account', () => {
  const row = toRepresentativeRow({
    ...person,
    status: 'active',
    status_detail: { ...person.status_detail, reason: 'verified' } as never,
    account_id: undefined,
  })
  expect(row).toMatchObject({ why: '', account: null, tone: 'good' })
})
