import type { PageContext } from '@/lib/operations/page-context'
import type { GrantView } from '@/lib/operations/people'

export type { AccountChoice, PageContext } from '@/lib/operations/page-context'

export type CallScope = Pick<PageContext, 'environment' | 'account'>

/** Matches the account scope of a URL: `acct_` and a UUID. */
export const accountPattern = /^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the name of an account; its id if the page context does not have the account. */
export const getAccountName = (context: Pick<PageContext, 'accounts'>, account: string): string =>
  context.accounts.find((choice) => choice.id === account)?.name ?? account

/** Returns a grant as text: `operator in sandbox, Acme`. */
export const grantText = (
  context: Pick<PageContext, 'accounts'>,
  { role, environment, account }: Pick<GrantView, 'role' | 'environment' | 'account'>,
): string => `${role} in ${environment}${account ? `, ${getAccountName(context, account)}` : ''}`

/**
 * Returns the scope for a link from a record to a list. If the page has an account scope, the link
 * gets the account of the record instead: a list in the scope of another account would not contain
 * the rows of the record. The link text must then name the account of the record
 * (`otherAccountText`).
 */
export const getListLinkScope = (
  { environment, scope }: Pick<PageContext, 'environment' | 'scope'>,
  account: string | null,
) => ({
  environment,
  scope: scope !== null && account !== null ? account : scope,
})

/**
 * Returns the end of a link text: " in Acme" if the link leads to another account than the scope of
 * the page; otherwise an empty text.
 */
export const otherAccountText = (
  context: Pick<PageContext, 'scope' | 'accounts'>,
  account: string | null,
): string =>
  context.scope !== null && account !== null && account !== context.scope
    ? ` in ${getAccountName(context, account)}`
    : ''
