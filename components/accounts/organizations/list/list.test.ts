import { expect, test } from 'vitest'
import { countAccountsByOrganization, toOrganizationRow } from './list'

const organization = {
  id: 'one',
  name: 'One',
  external_id: undefined,
  metadata: { a: '1' },
  created_at: undefined,
  updated_at: undefined,
}

test('counts the accounts of each organization', () => {
  const countsByOrganization = countAccountsByOrganization([
    { organization_id: 'one', status: 'active' },
    { organization_id: 'one', status: 'created' },
    { organization_id: 'two', status: 'active' },
    { organization_id: undefined, status: 'active' },
  ])
  expect(toOrganizationRow(organization, countsByOrganization).accounts).toEqual({
    all: 2,
    active: 1,
  })
  expect(
    toOrganizationRow({ ...organization, id: 'three' }, countsByOrganization).accounts,
  ).toEqual({
    all: 0,
    active: 0,
  })
})

test('shows null, not zero, if the accounts could not be counted', () => {
  expect(toOrganizationRow(organization, null).accounts).toBeNull()
})
