import type { ServiceOperationId } from '@/lib/operations/service-operations'

export type InputFields = Record<string, unknown>
/**
 * A field, an invalid value, and a pattern that the error message must match. If the value is
 * undefined, the field is omitted.
 */
export type InvalidField = [field: string, value: unknown, message: RegExp]
/** A valid input, and changes each of which makes it invalid. */
export type InputCase = { good: InputFields; bad: InvalidField[] }

/** A valid id for any object. */
export const sampleId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const validReason = 'PROOF_UNCLEAR: the signature page is missing from the proof'
const device = { ip_address: '0.0.0.0' }

const validPayment = {
  paykey_id: sampleId,
  amount: 12_500,
  currency: 'USD',
  description: 'Rent for April',
  payment_date: '2026-04-01',
  device,
  external_id: 'rent-2026-04',
  metadata: { lease: '42' },
}
const invalidPaymentFields: InvalidField[] = [
  ['paykey_id', 'a1b2c3d4.02.5e5e', /Must be a UUID/],
  ['amount', 0, /more than zero/],
  ['amount', 12.5, /whole number of cents/],
  ['amount', '12500', /whole number of cents/],
  ['amount', 2_147_483_648, /at most 2147483647/],
  ['currency', 'usd', /Must be USD/],
  ['description', '', /bank statement/],
  ['description', 'x'.repeat(81), /at most 80/],
  ['payment_date', '2026-02-30', /Must be a date like/],
  ['device.ip_address', 'localhost', /IPv4/],
  ['external_id', undefined, /your own reference/],
  [
    'metadata',
    Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'v'])),
    /at most 20 keys/,
  ],
  ['metadata.lease', 'x'.repeat(41), /at most 40/],
  ['metadata.lease', '', /Must not be empty/],
  ['config.sandbox_outcome', 'lucky', /Must be one of standard/],
  ['paykey', 'a1b2c3d4.02.5e5e', /paykey/],
]
const validPaymentUpdate = {
  id: sampleId,
  description: 'Rent',
  amount: 100,
  payment_date: '2026-04-01',
}
const decisionInputCase: InputCase = {
  good: { id: sampleId, reason: validReason },
  bad: [
    ['reason', undefined, /Choose a reason and add a note/],
    ['reason', 'because I say so, that is why', /Choose a reason and add a note/],
    ['reason', 'PROOF_UNCLEAR: no', /in more detail/],
    ['id', '../charges', /Must be a UUID/],
  ],
}
const resubmissionCase: InputCase = {
  good: { id: sampleId, payment_date: '2026-04-02' },
  bad: [
    ['description', '', /bank statement/],
    ['payment_date', 'tomorrow', /Must be a date like/],
    ['sandbox_outcome', 'paid', /sandbox_outcome/],
  ],
}
const validCustomer = { name: 'Ann Lee', email: 'ann@example.com', phone: '+15125550100', device }
const invalidCustomerFields: InvalidField[] = [
  ['name', ' ', /Enter the name/],
  ['email', 'ann at example', /email address/],
  ['phone', '512 555 0100', /country code/],
  ['device', { ip_address: 'none' }, /0\.0\.0\.0/],
  [
    'address',
    { address1: '1 Main St', city: 'Austin', state: 'Texas', zip: '78701' },
    /two capital letters/,
  ],
  ['address', { address1: '1 Main St', city: 'Austin', state: 'TX', zip: '787' }, /ZIP code/],
  ['compliance_profile.ssn', '123456789', /123-45-6789/],
  ['compliance_profile', { ssn: '123-45-6789' }, /required to identify a person/],
]
const customerIdInput = { customer_id: sampleId }
const validBankLinkInput = {
  ...customerIdInput,
  routing_number: '021000021',
  account_type: 'checking',
}
const invalidRoutingFields: InvalidField[] = [
  ['routing_number', '02100002', /Must be 9 digits/],
  ['routing_number', '021000012', /one digit is wrong/],
  ['routing_number', '000000000', /one digit is wrong/],
  ['account_type', 'gold', /checking, savings/],
]
const createTokenLinkCase = (tokenField: string): InputCase => ({
  good: { ...customerIdInput, [tokenField]: 'processor-sandbox-1' },
  bad: [
    [tokenField, '', /Paste the token/],
    ['customer_id', 'me', /Must be a UUID/],
  ],
})
/**
 * Valid and invalid inputs of writes to objects of an account, by operation. The test of the input
 * schemas uses them.
 */
export const inputCasesByOperation: Partial<Record<ServiceOperationId, InputCase>> = {
  'payouts.create': { good: validPayment, bad: invalidPaymentFields },
  'charges.create': {
    good: { ...validPayment, consent_type: 'internet', config: { balance_check: 'enabled' } },
    bad: [
      ...invalidPaymentFields,
      ['consent_type', 'spoken', /internet, signed_agreement/],
      ['config.balance_check', undefined, /required, enabled, disabled/],
    ],
  },
  'payouts.update': { good: validPaymentUpdate, bad: [['amount', -1, /more than zero/]] },
  'charges.update': {
    good: validPaymentUpdate,
    bad: [['description', undefined, /bank statement/]],
  },
  'payouts.hold': decisionInputCase,
  'payouts.release': decisionInputCase,
  'payouts.cancel': decisionInputCase,
  'charges.hold': decisionInputCase,
  'charges.release': decisionInputCase,
  'charges.cancel': decisionInputCase,
  'paykeys.cancel': decisionInputCase,
  'payouts.resubmit': resubmissionCase,
  'charges.resubmit': resubmissionCase,
  'charges.refund': {
    good: { id: sampleId, amount: 500 },
    bad: [...resubmissionCase.bad, ['amount', 0, /more than zero/]],
  },
  'customers.create': {
    good: {
      ...validCustomer,
      type: 'individual',
      compliance_profile: { ssn: '123-45-6789', dob: '1980-02-28' },
    },
    bad: [
      ...invalidCustomerFields,
      ['device', undefined, /IPv4 address of the device/],
      ['type', 'robot', /individual, business/],
      ['compliance_profile.ein', '12-3456789', /does not apply to a person/],
      ['config', { processing_method: 'never' }, /inline, background, skip/],
    ],
  },
  'customers.update': {
    good: {
      ...validCustomer,
      id: sampleId,
      status: 'verified',
      compliance_profile: { ein: '12-3456789', legal_business_name: 'Lee Ltd' },
    },
    bad: [
      ...invalidCustomerFields,
      ['status', 'quarantined', /pending, review, verified/],
      ['compliance_profile.ein', '123456789', /12-3456789/],
    ],
  },
  'customers.decide': {
    good: { id: sampleId, status: 'rejected' },
    bad: [['status', 'inactive', /verified, rejected/]],
  },
  'paykeys.decide': {
    good: { id: sampleId, status: 'active' },
    bad: [['status', 'verified', /active, rejected/]],
  },
  'bridge.initialize': {
    good: customerIdInput,
    bad: [['customer_id', undefined, /Must be a UUID/]],
  },
  'bridge.bank_account': {
    good: { ...validBankLinkInput, account_number: '900012345678' },
    bad: [...invalidRoutingFields, ['account_number', '12', /4 to 17 digits/]],
  },
  'bridge.tan': {
    good: { ...validBankLinkInput, tan: '900012345678' },
    bad: [...invalidRoutingFields, ['tan', undefined, /Enter the account number/]],
  },
  'bridge.plaid': createTokenLinkCase('plaid_token'),
  'bridge.quiltt': createTokenLinkCase('quiltt_token'),
  'bridge.speedchex': createTokenLinkCase('speedchex_token'),
  'funding_events.simulate': {
    good: { funding_event_job_type: 'charges' },
    bad: [['funding_event_job_type', 'refunds', /charges, payouts/]],
  },
}
