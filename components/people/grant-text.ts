import { accountName } from '@/lib/client/page-context'
import type { PageContext } from '@/lib/operations/page-context'
import type { GrantView } from '@/lib/operations/people'

/** A role in a line: `operator in sandbox, Acme`. */
export const grantText = (context: Pick<PageContext, 'accounts'>, { role, environment, account }: GrantView): string =>
  `${role} in ${environment}${account ? `, ${accountName(context, account)}` : ''}`
