import { dialectSettings } from '@/scripts/start/dialect-settings.mjs'

/** Set by the Vitest project. The browser tests, which use this harness too, do not set it. */
const name = process.env.TEST_DIALECT === 'provider' ? 'provider' : 'document'
const settings: Record<string, string> = dialectSettings[name]
const capabilityRequestsPath = settings.SERVICE_CAPABILITY_REQUESTS_PATH ?? ''

/**
 * The dialect of this run's sandbox and dashboards. The same files run in both projects, `integration` and `integration-provider`. Values
 * that differ on the wire are here; our own API does not differ.
 */
export const dialect = {
  name,
  settings,
  /** The header with the account of a call, in lower case as in Node. */
  accountHeader: settings.SERVICE_ACCOUNT_HEADER?.toLowerCase() ?? '',
  /** The header's value for an account, given in the form that URLs use or as a bare UUID. */
  accountValue: (account: string): string => `${settings.SERVICE_ACCOUNT_PREFIX}${account.replace(/^acct_/, '')}`,
  /** The service's operation that requests capabilities, as named in its faults and its journal. */
  asksForCapabilities: `capability_requests.create${capabilityRequestsPath.includes('{') ? '_for_account' : ''}`,
  /** The service's path of capability requests. `{account_id}` is replaced with the account's UUID if the path contains it. */
  capabilityRequestsPath,
  /** The service's value for a signed agreement in `consent_type`. */
  signedConsent: settings.SERVICE_SIGNED_CONSENT,
}
