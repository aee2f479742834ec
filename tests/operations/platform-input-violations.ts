import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { type InputCase, type InvalidField, sampleId } from './input-violations'

const validBusinessProfile = {
  name: 'Corner Shop',
  website: 'https://corner.example',
  industry: { mcc: '5411' },
}
const invalidProfileFields: InvalidField[] = [
  ['business_profile.name', undefined, /name of the business/],
  ['business_profile.website', 'javascript:alert(1)', /web address/],
  ['business_profile.tax_id', '12-3456789', /9 digits/],
  ['business_profile.industry', { sector: 'Food' }, /unless sector and category/],
]
const validRepresentative = {
  first_name: 'Ann',
  last_name: 'Lee',
  dob: '1980-02-28',
  ssn_last4: '4821',
  email: 'ann@example.com',
  mobile_number: '+15125550100',
  relationship: { primary: true, control: true, owner: true, percent_ownership: 60 },
}
const invalidRepresentativeFields: InvalidField[] = [
  ['dob', '28.02.1980', /Must be a date like/],
  ['ssn_last4', '123-45-4821', /last 4 digits/],
  ['relationship.percent_ownership', undefined, /ownership of the owner/],
  ['relationship.percent_ownership', 101, /at most 100/],
  ['mobile_number', '5125550100', /country code/],
]
const validBankAccount = {
  account_holder: 'Corner Shop',
  routing_number: '021000021',
  account_number: '900012345678',
}
const invalidBankAccountFields: InvalidField[] = [
  ['bank_account.account_holder', '', /account holder/],
  ['bank_account.routing_number', '021000012', /one digit is wrong/],
  ['bank_account.account_number', '9000-1234', /4 to 17 digits/],
]
const validTermsOfService = {
  accepted_date: '2026-03-31T14:05:00Z',
  agreement_url: 'https://corner.example/terms',
  agreement_type: 'embedded',
}

/**
 * Valid and invalid inputs of writes to accounts, organizations and other objects of the platform,
 * by operation.
 */
export const platformInputCases: Partial<Record<ServiceOperationId, InputCase>> = {
  'accounts.create': {
    good: {
      organization_id: sampleId,
      account_type: 'business',
      access_level: 'standard',
      business_profile: validBusinessProfile,
    },
    bad: [...invalidProfileFields, ['access_level', 'full', /standard, managed/]],
  },
  'accounts.update': {
    good: { id: sampleId, business_profile: { ...validBusinessProfile, tax_id: null } },
    bad: [...invalidProfileFields, ['business_profile.tax_id', undefined, /Enter the tax ID/]],
  },
  'accounts.onboard': {
    good: { id: sampleId, terms_of_service: validTermsOfService },
    bad: [
      ['terms_of_service.accepted_date', '2026-03-31', /Must be a time like/],
      ['terms_of_service.agreement_url', 'terms.pdf', /web address/],
      ['terms_of_service.accepted_ip', 'home', /IP address/],
    ],
  },
  'accounts.simulate': {
    good: { id: sampleId, final_status: 'active' },
    bad: [['final_status', 'rejected', /onboarding, active/]],
  },
  'capability_requests.create': {
    good: {
      payouts: { enable: true, max_amount: 100, daily_amount: 200, monthly_amount: 300 },
      internet: { enable: false },
    },
    bad: [
      ['payouts.max_amount', 10.5, /whole number of cents/],
      ['payouts.max_amount', 250, /not be more than a whole day/],
      ['payouts.daily_amount', 400, /not be more than monthly_amount/],
      ['payouts.enable', undefined, /on or off/],
      ['payouts.monthly_count', 0, /1 or more/],
    ],
  },
  'organizations.create': {
    good: { name: 'Corner Group' },
    bad: [['name', '', /name of the organization/]],
  },
  'representatives.create': {
    good: { account_id: sampleId, ...validRepresentative },
    bad: [...invalidRepresentativeFields, ['account_id', undefined, /Must be a UUID/]],
  },
  'representatives.update': {
    good: { id: sampleId, ...validRepresentative },
    bad: invalidRepresentativeFields,
  },
  'linked_bank_accounts.create': {
    good: { account_id: sampleId, bank_account: validBankAccount, purposes: ['payouts'] },
    bad: [
      ...invalidBankAccountFields,
      ['purposes', [], /at least one purpose/],
      ['purposes', ['payouts', 'payouts'], /each purpose once/],
    ],
  },
  'linked_bank_accounts.update': {
    good: { id: sampleId, bank_account: validBankAccount },
    bad: invalidBankAccountFields,
  },
}
