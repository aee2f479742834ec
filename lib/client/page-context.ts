import type { PageContext } from '@/lib/operations/page-context'
import type { GrantView } from '@/lib/operations/people'

export type { AccountChoice, PageContext } from '@/lib/operations/page-context'

export type CallScope = Pick<PageContext, 'environment' | 'account'>

/** `acct_` and a UUID, as the account scope is written in a URL. */
export const accountPattern = /^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The name people know an account by; its id where the page was not told one. */
export const accountName = (context: Pick<PageContext, 'accounts'>, account: string): string =>
  context.accounts.find((choice) => choice.id === account)?.name ?? account

/** A role in a line: `operator in sandbox, Acme`. */
export const grantText = (
  context: Pick<PageContext, 'accounts'>,
  { role, environment, account }: Pick<GrantView, 'role' | 'environment' | 'account'>,
): string => `${role} in ${environment}${account ? `, ${accountName(context, account)}` : ''}`

/**
 * Where a list about a record is opened: its rows are all of the record's account, so the scope of another account would show none of them. The link has to
 * say so then, see `elsewhere`.
 */
export const placeOfList = ({ environment, scope }: Pick<PageContext, 'environment' | 'scope'>, account: string | null) => ({
  environment,
  scope: scope !== null && account !== null ? account : scope,
})

/** " in Acme", where a link leads out of the account the person works in; empty where it does not. */
export const elsewhere = (context: Pick<PageContext, 'scope' | 'accounts'>, account: string | null): string =>
  context.scope !== null && account !== null && account !== context.scope ? ` in ${accountName(context, account)}` : ''
