import { describe, expect, test } from 'vitest'
import { type Representative, representativeSchemas } from '@/lib/operations/representatives.schema'
import {
  createInitialRepresentativeValues,
  findRepresentativeFaults,
  toMetadataInput,
  toRepresentativeInput,
  toRepresentativeValues,
} from './fields'

const person: Representative = representativeSchemas['representatives.get'].output.parse({
  id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  account_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e60',
  status: 'active',
  first_name: 'Ann',
  last_name: 'Lee',
  dob: '1980-02-28',
  ssn_last4: '4821',
  email: 'ann@example.com',
  mobile_number: '+15125550100',
  relationship: {
    primary: true,
    control: false,
    owner: true,
    percent_ownership: 12.5,
    title: null,
  },
  metadata: { team: 'east' },
})

const schema = representativeSchemas['representatives.update'].input
const findInvalidPaths = (input: unknown) =>
  schema
    .safeParse({ id: person.id, ...(input as object) })
    .error?.issues.map((issue) => issue.path.join('.'))

describe('the form of an existing representative', () => {
  test('never contains a mask: masked fields must be typed again', () => {
    const values = toRepresentativeValues(person)
    expect(JSON.stringify(values)).not.toMatch(/[*•]/)
    expect(findInvalidPaths(toRepresentativeInput(values))).toEqual([
      'dob',
      'ssn_last4',
      'email',
      'mobile_number',
    ])
  })

  test('is complete once the masked fields are typed, with any spacing in the phone number', () => {
    const typedValues = {
      dob: '1980-02-28',
      ssn_last4: '4821',
      email: 'ann@example.com',
      mobile_number: '+1 (512) 555-0100',
    }
    const input = toRepresentativeInput({ ...toRepresentativeValues(person), ...typedValues })
    expect(findInvalidPaths(input)).toBeUndefined()
    expect(input).toMatchObject({
      mobile_number: '+15125550100',
      relationship: { owner: true, percent_ownership: 12.5 },
    })
    expect(input).not.toHaveProperty('external_id')
  })

  test('sends metadata only if it changed', () => {
    expect(toMetadataInput(toRepresentativeValues(person).metadata, person.metadata)).toEqual({})
    expect(toMetadataInput([], person.metadata)).toEqual({ metadata: {} })
  })
})

test('a non-owner sends no ownership percentage, and an owner must state one', () => {
  const relationship = {
    primary: false,
    control: true,
    owner: false,
    percent_ownership: '40',
    title: '',
  }
  expect(
    toRepresentativeInput({ ...createInitialRepresentativeValues(''), relationship }).relationship,
  ).toEqual({
    primary: false,
    control: true,
    owner: false,
  })
  const ownerInput = toRepresentativeInput({
    ...toRepresentativeValues(person),
    relationship: { ...relationship, owner: true, percent_ownership: '' },
  })
  expect(findInvalidPaths(ownerInput)).toContain('relationship.percent_ownership')
  const inputWithPercentWords = toRepresentativeInput({
    ...toRepresentativeValues(person),
    relationship: { ...relationship, owner: true, percent_ownership: 'half' },
  })
  expect(findInvalidPaths(inputWithPercentWords)).toContain('relationship.percent_ownership')
})

test('nobody is born today, or at no time', () => {
  expect(findRepresentativeFaults(createInitialRepresentativeValues(''), '2026-03-31')).toEqual({
    dob: 'Enter the date of birth.',
  })
  expect(
    findRepresentativeFaults(
      { ...createInitialRepresentativeValues(''), dob: '2026-03-31' },
      '2026-03-31',
    ),
  ).toEqual({ dob: 'Must be in the past.' })
  expect(
    findRepresentativeFaults(
      { ...createInitialRepresentativeValues(''), dob: '2026-03-30' },
      '2026-03-31',
    ),
  ).toEqual({})
})
