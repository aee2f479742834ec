/**
 * The kinds of businesses that the service serves (provider facts 1). `saas`: accounts own customers, paykeys
 * and payments. `marketplace`: the platform owns customers and paykeys, and accounts own payments.
 * `account`: one account without a platform.
 */
export const integrations = ['saas', 'marketplace', 'account'] as const
export type Integration = (typeof integrations)[number]

/**
 * The rule for the header `Service-Account-Id` of a request. Without this header, the service acts
 * on the whole platform. Therefore writes to the objects of an account are `required` to have it.
 */
export type AccountHeaderRule = 'required' | 'optional' | 'forbidden'

/** The rules of the kinds of integration that have accounts. An `account` never sends the header. */
export type AccountHeaderRules = Readonly<{
  saas: 'required' | 'optional'
  marketplace: AccountHeaderRule
}>
