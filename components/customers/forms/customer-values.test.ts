import { describe, expect, test } from 'vitest'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'
import {
  createInitialCustomerValues,
  toCreateInput,
  toCustomerValues,
  toUpdateInput,
} from './customer-values'

const individualValues = {
  ...createInitialCustomerValues(),
  name: ' Ada Lovelace ',
  email: 'ada@example.com',
  phone: '+15125550100',
}

describe('input of a new customer', () => {
  test('is valid with only the required fields', () => {
    const input = toCreateInput(individualValues, true)
    expect(customerSchemas['customers.create'].input.parse(input)).toEqual({
      name: 'Ada Lovelace',
      type: 'individual',
      email: 'ada@example.com',
      phone: '+15125550100',
      device: { ip_address: '0.0.0.0' },
      metadata: {},
    })
  })

  test('contains identifiers, phone and address as the service requires them', () => {
    const { address, compliance_profile } = individualValues
    const typedValues = {
      ...individualValues,
      phone: '512 555 0100',
      address: { ...address, address1: '1 Elm', city: 'Austin', state: 'tx', zip: '787011234' },
      compliance_profile: { ...compliance_profile, ssn: '123456789', dob: '1980-02-28' },
    }
    expect(
      customerSchemas['customers.create'].input.parse(toCreateInput(typedValues, true)),
    ).toMatchObject({
      phone: '+15125550100',
      address: { state: 'TX', zip: '78701-1234' },
      compliance_profile: { ssn: '123-45-6789' },
    })
    const businessValues = {
      ...typedValues,
      type: 'business',
      compliance_profile: {
        ...compliance_profile,
        ein: '123456789',
        legal_business_name: 'Lee Ltd',
        website: 'birchlane.example.com',
      },
    }
    expect(
      customerSchemas['customers.create'].input.parse(toCreateInput(businessValues, true)),
    ).toMatchObject({
      compliance_profile: { ein: '12-3456789', website: 'https://birchlane.example.com' },
    })
  })

  test('contains only the identifiers of the customer’s own type', () => {
    const typedProfile = {
      ...individualValues.compliance_profile,
      ssn: '123-45-6789',
      dob: '1980-02-28',
      ein: '12-3456789',
      legal_business_name: 'Lee Ltd',
    }
    expect(
      toCreateInput({ ...individualValues, compliance_profile: typedProfile }, true)
        .compliance_profile,
    ).toEqual({
      ssn: '123-45-6789',
      dob: '1980-02-28',
    })
    const representatives = [
      { name: 'Jo Lee', email: '', phone: '' },
      { name: '', email: '', phone: '' },
    ]
    const businessValues = {
      ...individualValues,
      type: 'business',
      compliance_profile: { ...typedProfile, representatives },
    }
    expect(toCreateInput(businessValues, true).compliance_profile).toEqual({
      ein: '12-3456789',
      legal_business_name: 'Lee Ltd',
      representatives: [{ name: 'Jo Lee' }],
    })
  })

  test('contains a sandbox outcome in the sandbox only', () => {
    const sandboxValues = {
      ...individualValues,
      config: { sandbox_outcome: 'review', processing_method: 'inline' },
    }
    expect(toCreateInput(sandboxValues, false).config).toEqual({ processing_method: 'inline' })
    expect(toCreateInput(sandboxValues, true).config).toEqual({
      sandbox_outcome: 'review',
      processing_method: 'inline',
    })
  })
})

describe('input of a customer update', () => {
  const customer = {
    id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
    name: 'Ada Lovelace',
    type: 'individual',
    status: 'verified',
    email: 'a•••@example.com',
    external_id: 'cust-1',
    metadata: { segment: 'vip', since: '2020' },
  } as unknown as Customer

  test('of an unchanged form omits masked fields and contains all metadata', () => {
    const input = toUpdateInput(toCustomerValues(customer), customer)
    expect(customerSchemas['customers.update'].input.parse(input)).toEqual({
      id: customer.id,
      name: 'Ada Lovelace',
      status: 'verified',
      external_id: 'cust-1',
      metadata: { segment: 'vip', since: '2020' },
    })
  })

  test('contains the typed values', () => {
    const changedValues = {
      ...toCustomerValues(customer),
      phone: '+15125550111',
      device: { choice: 'present' as const, ip_address: '203.0.113.9' },
    }
    expect(toUpdateInput(changedValues, customer)).toMatchObject({
      phone: '+15125550111',
      device: { ip_address: '203.0.113.9' },
    })
  })
})
