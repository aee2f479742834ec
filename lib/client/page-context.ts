import type { PageContext } from '@/lib/operations/page-context'
import type { GrantView } from '@/lib/operations/people'

export type { AccountChoice, PageContext } from '@/lib/operations/page-context'

export type CallScope = Pick<PageContext, 'environment' | 'account'>

/** `acct_` and a UUID, as the account scope is written in a URL. */
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
 * Returns the scope for a link from a record to a list. It is the account of the record if the page has an account scope, because the list
 * may contain no rows in that scope. The text of the link must then name the account, see `otherAccountText`.
 */
export const getListLinkScope = ({ environment, scope }: Pick<PageContext, 'environment' | 'scope'>, account: string | null) => ({
  environment,
  scope: scope !== null && account !== null ? account : scope,
})

/** Returns " in Acme" if a link leads to another account than the page's scope; otherwise an empty text. */
export const otherAccountText = (context: Pick<PageContext, 'scope' | 'accounts'>, account: string | null): string =>
  context.scope !== null && account !== null && account !== context.scope ? ` in ${getAccountName(context, account)}` : ''
