import { dialectSettings } from '@/scripts/start/dialect-settings.mjs'

/** Vitest's projects set this variable. The browser tests also use this harness but do not set it. */
const name = process.env.TEST_DIALECT === 'provider' ? 'provider' : 'document'
const settings: Record<string, string> = dialectSettings[name]
const capabilityRequestsPath = settings.SERVICE_CAPABILITY_REQUESTS_PATH ?? ''

/**
 * The dialect of this run's sandbox and dashboards: the variant of the service's API. The same test files run in the projects `integration`
 * and `integration-provider`. This object contains the values that differ between the dialects; our own API does not differ.
 */
export const dialect = {
  name,
  settings,
  /** The name of the header with the account of a request, in lower case as in Node. */
  accountHeader: settings.SERVICE_ACCOUNT_HEADER?.toLowerCase() ?? '',
  /** Returns the header's value for an account, given as a bare UUID or in the form that URLs use. */
  accountValue: (account: string): string => `${settings.SERVICE_ACCOUNT_PREFIX}${account.replace(/^acct_/, '')}`,
  /** The service's operation that requests capabilities, as faults and the journal name it. */
  asksForCapabilities: `capability_requests.create${capabilityRequestsPath.includes('{') ? '_for_account' : ''}`,
  /** The service's path for capability requests. It may contain `{account_id}`, which stands for the account's UUID. */
  capabilityRequestsPath,
  /** The service's value of `consent_type` for a signed agreement. */
  signedConsent: settings.SERVICE_SIGNED_CONSENT,
}
