import { randomBytes, randomUUID } from 'node:crypto'
import { buildPayout } from './service'

const createRandomText = (byteCount: number) => randomBytes(byteCount).toString('base64url')

/** A key in the provider's format: three parts, of which the last two are long and random. */
export const apiKey = `${createRandomText(27)}.${createRandomText(120)}.${createRandomText(32)}`

export const serviceSecrets = {
  paykey: `canarytoken.${createRandomText(20)}`,
  account_number: '900817264553',
  email: 'canary.person.7261@example.test',
  phone: '+15550172615',
  ssn: '917-26-4553',
  dob: '1971-02-26',
  address: '7261 Canary Terrace',
  ip: '203.0.113.172',
  extra: 'canary-undeclared-7261',
}

/**
 * Personal data that the test types into forms. The forms are refused, accepted, not answered, or
 * interrupted.
 */
export const enteredSecrets = {
  email: 'typed.person.8362@example.test',
  phone: '+15550183620',
  ssn: '836-25-3620',
  dob: '1983-06-25',
  address: '8362 Typed Street',
}

export const sensitiveWords = [...Object.values(serviceSecrets), ...Object.values(enteredSecrets)]

/**
 * Secrets of Paydesk's configuration, the service's API key, and a password that is typed at the
 * sign-in.
 */
export const configuredSecrets = {
  AUTH_SECRET: createRandomText(32),
  ENCRYPTION_KEY: createRandomText(32),
  METRICS_TOKEN: createRandomText(32),
  password: createRandomText(18),
  apiKey,
}

/** Returns an object with the fields of all resources, filled with all data that must not leak. */
export const buildObjectWithSecrets = (id: string) => ({
  ...buildPayout(id),
  payment_type: 'payout',
  created_at: '2026-11-20T10:00:00Z',
  paykey: serviceSecrets.paykey,
  name: 'Ada Example',
  email: serviceSecrets.email,
  phone: serviceSecrets.phone,
  address: { address1: serviceSecrets.address, city: 'Springfield', state: 'IL', zip: '62701' },
  compliance_profile: { ssn: serviceSecrets.ssn, dob: serviceSecrets.dob },
  device: { ip_address: serviceSecrets.ip },
  bank_data: {
    routing_number: '021000021',
    account_number: serviceSecrets.account_number,
    account_type: 'checking',
  },
  customer_details: {
    id: randomUUID(),
    name: 'Ada Example',
    email: serviceSecrets.email,
    phone: serviceSecrets.phone,
    ssn: serviceSecrets.ssn,
  },
  paykey_details: { id: randomUUID(), label: 'BANK ****4553', paykey: serviceSecrets.paykey },
  // This phone number may be shown: it belongs to a business and not to a person. An update of the
  // profile must contain it, so the browser needs it.
  business_profile: { name: 'Example Inc', tax_id: serviceSecrets.extra, phone: '+18005550100' },
  canary: serviceSecrets.extra,
})
