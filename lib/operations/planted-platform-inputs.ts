import type { Bad, Case } from './planted-inputs'
import type { OperationId } from './rows'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const profile = { name: 'Corner Shop', website: 'https://corner.example', industry: { mcc: '5411' } }
const badProfile: Bad[] = [
  ['business_profile.name', undefined, /name of the business/],
  ['business_profile.website', 'javascript:alert(1)', /web address/],
  ['business_profile.tax_id', '12-3456789', /9 digits/],
  ['business_profile.industry', { sector: 'Food' }, /unless sector and category/],
]
const person = {
  first_name: 'Ann',
  last_name: 'Lee',
  dob: '1980-02-28',
  ssn_last4: '4821',
  email: 'ann@example.com',
  mobile_number: '+15125550100',
  relationship: { primary: true, control: true, owner: true, percent_ownership: 60 },
}
const badPerson: Bad[] = [
  ['dob', '28.02.1980', /must be a date like/],
  ['ssn_last4', '123-45-4821', /last 4 digits/],
  ['relationship.percent_ownership', undefined, /how much an owner owns/],
  ['relationship.percent_ownership', 101, /at most 100/],
  ['mobile_number', '5125550100', /country code/],
]
const bankAccount = { account_holder: 'Corner Shop', routing_number: '021000021', account_number: '900012345678' }
const badBankAccount: Bad[] = [
  ['bank_account.account_holder', '', /account holder/],
  ['bank_account.routing_number', '021000012', /one of its digits is wrong/],
  ['bank_account.account_number', '9000-1234', /4 to 17 digits/],
]
const terms = { accepted_date: '2026-03-31T14:05:00Z', agreement_url: 'https://corner.example/terms', agreement_type: 'embedded' }

/** Inputs of the writers on accounts and what belongs to them, good and bad. */
export const plantedPlatformInputs: Partial<Record<OperationId, Case>> = {
  'accounts.create': {
    good: { organization_id: id, account_type: 'business', access_level: 'standard', business_profile: profile },
    bad: [...badProfile, ['access_level', 'full', /standard, managed/]],
  },
  'accounts.update': {
    good: { id, business_profile: { ...profile, tax_id: null } },
    bad: [...badProfile, ['business_profile.tax_id', undefined, /give the tax id/]],
  },
  'accounts.onboard': {
    good: { id, terms_of_service: terms },
    bad: [
      ['terms_of_service.accepted_date', '2026-03-31', /must be a time like/],
      ['terms_of_service.agreement_url', 'terms.pdf', /web address/],
      ['terms_of_service.accepted_ip', 'home', /IP address/],
    ],
  },
  'accounts.simulate': { good: { id, final_status: 'active' }, bad: [['final_status', 'rejected', /onboarding, active/]] },
  'capability_requests.create': {
    good: { payouts: { enable: true, max_amount: 100, daily_amount: 200, monthly_amount: 300 }, internet: { enable: false } },
    bad: [
      ['payouts.max_amount', 10.5, /whole number of cents/],
      ['payouts.max_amount', 250, /not be more than a whole day/],
      ['payouts.daily_amount', 400, /not be more than monthly_amount/],
      ['payouts.enable', undefined, /on or off/],
      ['payouts.monthly_count', 0, /1 or more/],
    ],
  },
  'organizations.create': { good: { name: 'Corner Group' }, bad: [['name', '', /name of the organization/]] },
  'representatives.create': { good: { account_id: id, ...person }, bad: [...badPerson, ['account_id', undefined, /must be a UUID/]] },
  'representatives.update': { good: { id, ...person }, bad: badPerson },
  'linked_bank_accounts.create': {
    good: { account_id: id, bank_account: bankAccount, purposes: ['payouts'] },
    bad: [...badBankAccount, ['purposes', [], /at least one purpose/], ['purposes', ['payouts', 'payouts'], /each purpose once/]],
  },
  'linked_bank_accounts.update': { good: { id, bank_account: bankAccount }, bad: badBankAccount },
}
