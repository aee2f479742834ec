import { EmptyState } from '@/components/kits/feedback/empty-state'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import type { PageContext } from '@/lib/client/page-context'
import { deskPath } from '@/lib/routes'

type ChooseAccountProps = {
  context: PageContext
  /** The path of the page below the environment, for example `/payouts`. */
  path: string
  many: string
}

/**
 * True if the page must not read data: the person must choose an account first, or has no access to
 * the account in the URL.
 */
export const mustChooseAccount = (context: Pick<PageContext, 'needsAccount' | 'denied'>): boolean =>
  context.needsAccount || context.denied !== null

type AccountLinksProps = {
  accounts: PageContext['accounts']
  hrefOf: (id: string) => string
  className?: string
}

export const AccountLinks = ({ accounts, hrefOf, className }: AccountLinksProps) => (
  <ul aria-label="Accounts" className={cn('grid gap-1', className)}>
    {accounts.map(({ id, name, status }) => (
      <li key={id}>
        <Link
          href={hrefOf(id)}
          className="flex min-h-10 items-center justify-between gap-3 rounded border border-line bg-surface px-3 text-ink hover:bg-sunken"
        >
          <ExternalText className="truncate font-medium">{name}</ExternalText>
          <span className="text-ink-3 text-xs">{status}</span>
        </Link>
      </li>
    ))}
  </ul>
)

export const ChooseAccount = ({ context, path, many }: ChooseAccountProps) => (
  <EmptyState
    level={1}
    tone={context.denied === null ? 'neutral' : 'bad'}
    title={context.denied === null ? 'Choose an account' : 'No access to this account'}
    actions={
      !context.needsAccount && (
        <Link href={deskPath(context.environment, path)} className={buttonVariants()}>
          {many.replace(/^./, (first) => first.toUpperCase())} of the whole platform
        </Link>
      )
    }
  >
    <p>
      {context.denied ??
        `You have access to single accounts, so ${many} are shown for one account at a time.`}
    </p>
    {context.denied !== null && (
      <p>An admin can grant you a role in this account. No data was loaded.</p>
    )}
    {/* `Notice` and not `ErrorNotice`, whose script every record page would then load. This error has no request id to show. */}
    {context.accountsError && (
      <Notice tone="bad" title="The accounts could not be read" className="text-left">
        <p>{context.accountsError.detail}</p>
      </Notice>
    )}
    <AccountLinks
      accounts={context.accounts}
      hrefOf={(account) => deskPath(context, path, { account })}
      className="w-full"
    />
    {context.accounts.length === 0 && !context.accountsError && (
      <p>You have no access to any account yet. Ask an admin for access.</p>
    )}
  </EmptyState>
)
