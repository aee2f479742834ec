import { describe, expect, test } from 'vitest'
import { type Account, accountSchemas } from '@/lib/operations/accounts.schema'
import {
  formatTaxIdNote,
  listMetadataFaults,
  toAccountFormValues,
  toAccountUpdateInput,
  toNewAccountInput,
} from './form'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const account = {
  id,
  organization_id: id,
  access_level: 'managed',
  business_profile: {
    name: 'Acme',
    website: 'https://acme.example.com',
    legal_name: 'Acme, LLC',
    tax_id: '••••6789',
    address: {
      line1: '1 Main St',
      city: 'Austin',
      state: 'TX',
      postal_code: '78701',
      country: 'US',
    },
    industry: { mcc: '6513' },
  },
  metadata: { tier: 'gold', region: 'south' },
  external_id: 'acct-acme',
} as unknown as Account

const listSchemaFaults = (operation: 'accounts.create' | 'accounts.update', input: unknown) =>
  (accountSchemas[operation].input.safeParse(input).error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')}: ${issue.message}`,
  )

test('an empty form reports its missing fields and sends no empty groups', () => {
  const input = toNewAccountInput(toAccountFormValues())
  expect(input).toMatchObject({
    account_type: 'business',
    access_level: 'standard',
    external_id: undefined,
  })
  expect((input.business_profile as Record<string, unknown>).address).toBeUndefined()
  const faults = listSchemaFaults('accounts.create', input)
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'organization_id',
    'business_profile.name',
    'business_profile.website',
  ])
})

describe('a group of the profile', () => {
  const createAccountValues = (
    profileChanges: Partial<ReturnType<typeof toAccountFormValues>['business_profile']>,
  ) => ({
    ...toAccountFormValues(account),
    business_profile: {
      ...toAccountFormValues(account).business_profile,
      tax_id: '123456789',
      ...profileChanges,
    },
  })

  test('must be complete once it is started', () => {
    const address = {
      line1: '',
      line2: '',
      city: 'Austin',
      state: 'tx',
      postal_code: '',
      country: 'us',
    }
    const faults = listSchemaFaults(
      'accounts.update',
      toAccountUpdateInput(id, createAccountValues({ address })),
    )
    expect(faults).toEqual([
      'business_profile.address.line1: Enter the street and number.',
      'business_profile.address.postal_code: Enter the postal code.',
    ])
  })

  test('with only a country counts as empty', () => {
    const address = { line1: '', line2: '', city: '', state: '', postal_code: '', country: 'US' }
    expect(toAccountUpdateInput(id, createAccountValues({ address }))).toMatchObject({
      business_profile: { address: undefined },
    })
  })

  test('for the industry needs a code, or a sector and a category', () => {
    const industry = { mcc: '', sector: 'services', category: '' }
    expect(
      listSchemaFaults(
        'accounts.update',
        toAccountUpdateInput(id, createAccountValues({ industry })),
      )[0],
    ).toContain('business_profile.industry.mcc')
  })
})

describe('an account update', () => {
  test('keeps the metadata', () => {
    expect(toAccountUpdateInput(id, toAccountFormValues(account)).metadata).toEqual({
      tier: 'gold',
      region: 'south',
    })
  })

  test('requires the tax ID again, so that it is never deleted by omission', () => {
    const formValues = toAccountFormValues(account)
    expect(listSchemaFaults('accounts.update', toAccountUpdateInput(id, formValues))).toEqual([
      'business_profile.tax_id: Enter the tax ID.',
    ])
    expect(
      listSchemaFaults(
        'accounts.update',
        toAccountUpdateInput(id, { ...formValues, no_tax_id: true }),
      ),
    ).toEqual([])
    const typedValues = {
      ...formValues,
      business_profile: { ...formValues.business_profile, tax_id: '12-345 6789' },
    }
    expect(toAccountUpdateInput(id, typedValues)).toMatchObject({
      business_profile: { tax_id: '123456789' },
    })
  })

  test('may omit the tax ID of an account that has none', () => {
    const accountWithoutTaxId = {
      ...account,
      business_profile: { ...account.business_profile, tax_id: undefined },
    } as Account
    expect(toAccountUpdateInput(id, toAccountFormValues(accountWithoutTaxId))).toMatchObject({
      business_profile: { tax_id: null },
    })
  })
})

test.each([
  ['••••6789', '123456789', 'Ends in 6789, same as on file.'],
  ['••••6789', '12-3450000', 'The tax ID on file ends in 6789. Saving replaces the number.'],
  ['••••6789', '1234', null],
  [undefined, '123456789', null],
])('the note for tax ID %s and input %s', (onFile, typed, note) =>
  expect(formatTaxIdNote(onFile, typed)).toBe(note),
)

test('a metadata error makes the form invalid', () => {
  const metadataLine = { id: 'a', key: 'tier', value: '' }
  expect(listMetadataFaults({ metadata: [metadataLine] })).toEqual({
    metadata: 'Enter a value, or remove the line.',
  })
  expect(listMetadataFaults({ metadata: [{ ...metadataLine, value: 'gold' }] })).toEqual({})
})
