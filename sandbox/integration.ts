/**
 * Kinds of integration, default first (provider-facts 1). In `saas`, each account owns its
 * customers and paykeys. In a `marketplace`, the platform owns them, and accounts own only payments
 * and funding events. `account` is a direct account without a platform.
 */
export const integrations = ['saas', 'marketplace', 'account'] as const

export type Integration = (typeof integrations)[number]

/** Row number of the only account of the kind `account`. Every operation applies to it. */
export const directAccountRowNumber = 1

/** One sentence for the home page and the OpenAPI document. */
export const integrationTexts: Readonly<Record<Integration, string>> = {
  saas: 'Each account owns its customers and paykeys.',
  marketplace: 'The platform owns customers and paykeys; accounts own payments.',
  account: 'There is one account, and no request names it.',
}
