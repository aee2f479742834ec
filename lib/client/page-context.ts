import type { Resource } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import type { PageContext } from '@/lib/operations/page-context'
import type { GrantView } from '@/lib/operations/people'

export type { AccountChoice, PageContext } from '@/lib/operations/page-context'

export type CallScope = Pick<PageContext, 'environment' | 'account'>

export const accountIdPattern = /^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for objects of the platform, such as a marketplace's customers. They have no account. */
export const belongsToPlatform = (
  { integration }: Pick<PageContext, 'integration'>,
  resource: Resource,
): boolean => getOwnerRule(resource, integration) === 'platform'

/** The account whose limits apply to a payment: that of the payment, or the direct account. */
export const getLimitAccount = (
  { integration, accounts }: Pick<PageContext, 'integration' | 'accounts'>,
  account: string | null,
): string | null => (integration === 'account' ? (accounts[0]?.id ?? null) : account)

/** A list for one account, or of objects without an account, needs no column for it. */
export const hasAccountColumn = (
  context: Pick<PageContext, 'integration' | 'account'>,
  resource: Resource,
): boolean => context.account === null && !belongsToPlatform(context, resource)

/** `account` is null for an object of the platform, and for every object of a direct account. */
export function getAccountName(
  { integration, accounts }: Pick<PageContext, 'integration' | 'accounts'>,
  account: string | null,
): string {
  if (account !== null) return accounts.find((choice) => choice.id === account)?.name ?? account
  return integration === 'account' ? (accounts[0]?.name ?? 'the account') : 'the platform'
}

/** Names what a page, a request or a search is about: an account, or everything (`account` is null). */
export const getScopeName = (
  context: Pick<PageContext, 'integration' | 'accounts'>,
  account: string | null,
): string =>
  account === null && context.integration !== 'account'
    ? 'the whole platform'
    : getAccountName(context, account)

/** Returns a grant as text: `operator in sandbox, Acme`. */
export const formatGrant = (
  context: Pick<PageContext, 'integration' | 'accounts'>,
  { role, environment, account }: Pick<GrantView, 'role' | 'environment' | 'account'>,
): string => `${role} in ${environment}${account ? `, ${getAccountName(context, account)}` : ''}`

/**
 * On a page with an account scope, the link gets the account of the record: another scope would not
 * contain its rows. The link text must then name that account (`toOtherAccountSuffix`).
 */
export const getScopeForListLink = (
  { environment, scope }: Pick<PageContext, 'environment' | 'scope'>,
  account: string | null,
) => ({
  environment,
  scope: scope !== null && account !== null ? account : scope,
})

/** Returns " in Acme" if the link leaves the account scope of the page, otherwise an empty text. */
export const toOtherAccountSuffix = (
  context: Pick<PageContext, 'integration' | 'scope' | 'accounts'>,
  account: string | null,
): string =>
  context.scope !== null && account !== null && account !== context.scope
    ? ` in ${getAccountName(context, account)}`
    : ''
