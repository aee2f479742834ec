import { dialectSettings } from '@/scripts/start/dialect-settings.mjs'

/**
 * Vitest sets `TEST_DIALECT` for each project. The browser tests also use this file, but without
 * the variable: they get `document`.
 */
const dialectName = process.env.TEST_DIALECT === 'provider' ? 'provider' : 'document'
const serviceSettings: Record<string, string> = dialectSettings[dialectName]
const capabilityRequestsPath = serviceSettings.SERVICE_CAPABILITY_REQUESTS_PATH ?? ''

/**
 * The dialect of this test run: the variant of the service’s API that the sandbox imitates and the
 * dashboards expect. The Vitest projects `integration` and `integration-provider` run the same test
 * files with different dialects. The object contains only values that differ between the dialects.
 */
export const dialect = {
  name: dialectName,
  settings: serviceSettings,
  /**
   * Name of the request header that contains the account. In lower case, as Node returns header
   * names.
   */
  accountHeader: serviceSettings.SERVICE_ACCOUNT_HEADER?.toLowerCase() ?? '',
  /**
   * Returns the value of the account header for an account. `account` is a bare UUID, or has the
   * form `acct_…`.
   */
  accountValue: (account: string): string =>
    `${serviceSettings.SERVICE_ACCOUNT_PREFIX}${account.replace(/^acct_/, '')}`,
  /**
   * Id of the operation that requests capabilities, as the sandbox names it in faults and in its
   * journal.
   */
  asksForCapabilities: `capability_requests.create${capabilityRequestsPath.includes('{') ? '_for_account' : ''}`,
  /**
   * The service’s path for capability requests. In one dialect it contains `{account_id}` in place
   * of the account’s UUID.
   */
  capabilityRequestsPath,
  /** The service's value of `consent_type` for a signed agreement. */
  signedConsent: serviceSettings.SERVICE_SIGNED_CONSENT,
}
