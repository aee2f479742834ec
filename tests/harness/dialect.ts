import { dialectSettings } from '@/scripts/dialect-settings.mjs'

/** The Vitest project says it; the browser tests, which start dashboards here as well, say nothing. */
const name = process.env.TEST_DIALECT === 'provider' ? 'provider' : 'document'
const settings: Record<string, string> = dialectSettings[name]
const capabilityRequestsPath = settings.SERVICE_CAPABILITY_REQUESTS_PATH ?? ''

/**
 * How the sandbox of this run speaks, and every dashboard with it: the same files run in both projects, `integration` and `integration-provider`.
 * What differs on the wire is asked for here; on our own side of the dashboard nothing does.
 */
export const dialect = {
  name,
  settings,
  /** The header that says on whose account a call acts, in lower case as Node names headers. */
  accountHeader: settings.SERVICE_ACCOUNT_HEADER?.toLowerCase() ?? '',
  /** What that header says of an account, given as our URLs name it or as a bare UUID. */
  accountValue: (account: string): string => `${settings.SERVICE_ACCOUNT_PREFIX}${account.replace(/^acct_/, '')}`,
  /** The service's own name of what asks for capabilities, as its faults and its journal have it. */
  asksForCapabilities: `capability_requests.create${capabilityRequestsPath.includes('{') ? '_for_account' : ''}`,
  /** Where capability requests are at the service; `{account_id}` stands for the account's UUID where the path names it. */
  capabilityRequestsPath,
  /** The service's word for a signed agreement in `consent_type`. */
  signedConsent: settings.SERVICE_SIGNED_CONSENT,
}
