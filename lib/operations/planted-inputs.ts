import type { OperationId } from './rows'

/** The fields of an input by name. */
export type Fields = Record<string, unknown>
/** A field, a value it must refuse, and part of the message that says how to put it right; undefined leaves the field out. */
export type Bad = [field: string, value: unknown, message: RegExp]
/** An input that is taken, and what must not be in it. */
export type Case = { good: Fields; bad: Bad[] }

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const reason = 'PROOF_UNCLEAR: the signature page is missing from the proof'
const device = { ip_address: '0.0.0.0' }

const payment = {
  paykey_id: id,
  amount: 12_500,
  currency: 'USD',
  description: 'Rent for April',
  payment_date: '2026-04-01',
  device,
  external_id: 'rent-2026-04',
  metadata: { lease: '42' },
}
const badPayment: Bad[] = [
  ['paykey_id', 'a1b2c3d4.02.5e5e', /must be a UUID/],
  ['amount', 0, /more than zero/],
  ['amount', 12.5, /whole number of cents/],
  ['amount', '12500', /whole number of cents/],
  ['amount', 2_147_483_648, /at most 2147483647/],
  ['currency', 'usd', /must be USD/],
  ['description', '', /bank statement/],
  ['description', 'x'.repeat(81), /at most 80/],
  ['payment_date', '2026-02-30', /must be a date like/],
  ['device.ip_address', 'localhost', /IPv4/],
  ['external_id', undefined, /reference of your own/],
  ['metadata', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'v'])), /at most 20 keys/],
  ['metadata.lease', 'x'.repeat(41), /at most 40/],
  ['metadata.lease', '', /must not be empty/],
  ['config.sandbox_outcome', 'lucky', /must be one of standard/],
  ['paykey', 'a1b2c3d4.02.5e5e', /paykey/],
]
const update = { id, description: 'Rent', amount: 100, payment_date: '2026-04-01' }
const decision: Case = {
  good: { id, reason },
  bad: [
    ['reason', undefined, /say why/],
    ['reason', 'because I say so, that is why', /begin with a reason code/],
    ['reason', 'PROOF_UNCLEAR: no', /a few more words/],
    ['id', '../charges', /must be a UUID/],
  ],
}
const again: Case = {
  good: { id, payment_date: '2026-04-02' },
  bad: [
    ['description', '', /bank statement/],
    ['payment_date', 'tomorrow', /must be a date like/],
    ['sandbox_outcome', 'paid', /sandbox_outcome/],
  ],
}
const customer = { name: 'Ann Lee', email: 'ann@example.com', phone: '+15125550100', device }
const badCustomer: Bad[] = [
  ['name', ' ', /give the name/],
  ['email', 'ann at example', /e-mail address/],
  ['phone', '512 555 0100', /country code/],
  ['device', { ip_address: 'none' }, /0\.0\.0\.0/],
  ['address', { address1: '1 Main St', city: 'Austin', state: 'Texas', zip: '78701' }, /two capital letters/],
  ['address', { address1: '1 Main St', city: 'Austin', state: 'TX', zip: '787' }, /ZIP code/],
  ['compliance_profile.ssn', '123456789', /123-45-6789/],
  ['compliance_profile', { ssn: '123-45-6789' }, /needed to identify a person/],
]
const link = { customer_id: id }
const linkTyped = { ...link, routing_number: '021000021', account_type: 'checking' }
const badRouting: Bad[] = [
  ['routing_number', '02100002', /must be 9 digits/],
  ['routing_number', '021000012', /one of its digits is wrong/],
  ['routing_number', '000000000', /one of its digits is wrong/],
  ['account_type', 'gold', /checking, savings/],
]
const withToken = (name: string): Case => ({
  good: { ...link, [name]: 'processor-sandbox-1' },
  bad: [
    [name, '', /paste the token/],
    ['customer_id', 'me', /must be a UUID/],
  ],
})
/** Inputs of the writers on an account's objects, good and bad, for the test of every input schema. */
export const plantedInputs: Partial<Record<OperationId, Case>> = {
  'payouts.create': { good: payment, bad: badPayment },
  'charges.create': {
    good: { ...payment, consent_type: 'internet', config: { balance_check: 'enabled' } },
    bad: [
      ...badPayment,
      ['consent_type', 'spoken', /internet, signed_agreement/],
      ['config.balance_check', undefined, /required, enabled, disabled/],
    ],
  },
  'payouts.update': { good: update, bad: [['amount', -1, /more than zero/]] },
  'charges.update': { good: update, bad: [['description', undefined, /bank statement/]] },
  'payouts.hold': decision,
  'payouts.release': decision,
  'payouts.cancel': decision,
  'charges.hold': decision,
  'charges.release': decision,
  'charges.cancel': decision,
  'paykeys.cancel': decision,
  'payouts.resubmit': again,
  'charges.resubmit': again,
  'charges.refund': { good: { id, amount: 500 }, bad: [...again.bad, ['amount', 0, /more than zero/]] },
  'customers.create': {
    good: { ...customer, type: 'individual', compliance_profile: { ssn: '123-45-6789', dob: '1980-02-28' } },
    bad: [
      ...badCustomer,
      ['device', undefined, /which device/],
      ['type', 'robot', /individual, business/],
      ['compliance_profile.ein', '12-3456789', /does not belong to a person/],
      ['config', { processing_method: 'never' }, /inline, background, skip/],
    ],
  },
  'customers.update': {
    good: { ...customer, id, status: 'verified', compliance_profile: { ein: '12-3456789', legal_business_name: 'Lee Ltd' } },
    bad: [...badCustomer, ['status', 'quarantined', /pending, review, verified/], ['compliance_profile.ein', '123456789', /12-3456789/]],
  },
  'customers.decide': { good: { id, status: 'rejected' }, bad: [['status', 'inactive', /verified, rejected/]] },
  'paykeys.decide': { good: { id, status: 'active' }, bad: [['status', 'verified', /active, rejected/]] },
  'bridge.initialize': { good: link, bad: [['customer_id', undefined, /must be a UUID/]] },
  'bridge.bank_account': {
    good: { ...linkTyped, account_number: '900012345678' },
    bad: [...badRouting, ['account_number', '12', /4 to 17 digits/]],
  },
  'bridge.tan': { good: { ...linkTyped, tan: '900012345678' }, bad: [...badRouting, ['tan', undefined, /give the account number/]] },
  'bridge.plaid': withToken('plaid_token'),
  'bridge.quiltt': withToken('quiltt_token'),
  'bridge.speedchex': withToken('speedchex_token'),
  'funding_events.simulate': {
    good: { funding_event_job_type: 'charges' },
    bad: [['funding_event_job_type', 'refunds', /charges, payouts/]],
  },
}
