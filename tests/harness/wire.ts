import { randomUUID } from 'node:crypto'
import {
  buildPayout,
  type RecordedRequest,
  type ResponseBehavior,
  respondWith,
  wrapInEnvelope,
} from './service'

/**
 * Settings for a service that follows the payments provider’s own API instead of the interface
 * document. They change the account header, the path of capability requests, the value for a signed
 * consent, and the form of list parameters: repeated, not separated by commas.
 */
export const providerSettings = {
  SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
  SERVICE_ACCOUNT_PREFIX: '',
  SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
  SERVICE_SIGNED_CONSENT: 'signed',
  SERVICE_LIST_STYLE: 'repeat',
}
export const defaultSettings = Object.fromEntries(
  Object.keys(providerSettings).map((name) => [
    name,
    name === 'SERVICE_ACCOUNT_PREFIX' ? 'acct_' : '',
  ]),
)

export const documentCapabilityPath = '/v1/accounts/capability_requests'
export const buildProviderCapabilityPath = (account: string) =>
  `/v1/accounts/${account}/capability_requests`

const capabilityRequest = {
  type: 'internet',
  category: 'consent_type',
  settings: null,
  status: 'in_review',
  enable: true,
}
export const respondWithCapabilityRequest = (account: string) =>
  respondWith(
    201,
    wrapInEnvelope([{ id: randomUUID(), account_id: account, ...capabilityRequest }]),
  )
export const capabilityOverrides = { internet: { enable: true } }

/**
 * Responds to a read with an empty list, and to a write with a new charge that has the consent type
 * of the request. For requests without an id in their path.
 */
export const respondWithListOrCharge: ResponseBehavior = (response, seen) => {
  if (seen.method === 'GET') return respondWith(200, wrapInEnvelope([]))(response, seen)
  const createdCharge = {
    ...buildPayout(randomUUID()),
    consent_type: JSON.parse(seen.body).consent_type,
  }
  return respondWith(201, wrapInEnvelope(createdCharge))(response, seen)
}

export const readAccountHeaders = (recordedRequest: RecordedRequest | undefined) => [
  recordedRequest?.headers['service-account-id'],
  recordedRequest?.headers['provider-account-id'],
]

export const buildChargeBody = (paykey: string, consent: string) => ({
  paykey_id: paykey,
  amount: 12_500,
  currency: 'USD',
  description: 'Dues',
  payment_date: '2027-01-04',
  consent_type: consent,
  device: { ip_address: '0.0.0.0' },
  external_id: randomUUID(),
  config: { balance_check: 'required' },
})
