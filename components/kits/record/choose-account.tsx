import Link from 'next/link'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { buttonVariants } from '@/components/ui/button-variants'
import type { Desk } from '@/lib/client/desk'
import { deskPath } from '@/lib/routes'

type ChooseAccountProps = {
  desk: Desk
  /** The page's own path below the environment, for example `/payouts`. */
  path: string
  /** What the page shows, in the plural: "payouts". */
  many: string
}

/** Where nothing may be read yet: an account has to be chosen, or the one in the link is not open to this person. */
export const ChooseAccount = ({ desk, path, many }: ChooseAccountProps) => (
  <EmptyState
    level={1}
    tone={desk.denied === null ? 'neutral' : 'bad'}
    title={desk.denied === null ? 'Choose an account' : 'This account is not open to you'}
    className="px-0"
    actions={
      !desk.needsAccount && (
        <Link href={deskPath(desk.environment, path)} className={buttonVariants()}>
          {many.replace(/^./, (first) => first.toUpperCase())} of the whole platform
        </Link>
      )
    }
  >
    <p>{desk.denied ?? `Your access is for single accounts, so ${many} are shown for one account at a time.`}</p>
    {desk.denied !== null && <p>An admin can grant a role in it. Nothing of it was read.</p>}
    {desk.accountsError && <ErrorNotice error={desk.accountsError} what="The accounts could not be read" />}
    <ul className="grid w-full gap-1">
      {desk.accounts.map((account) => (
        <li key={account.id}>
          <Link
            href={deskPath(desk.environment, path, { account: account.id })}
            className="flex min-h-10 items-center justify-between gap-3 rounded border border-line bg-surface px-3 text-ink hover:bg-sunken"
          >
            <bdi className="truncate font-medium">{account.name}</bdi>
            <span className="text-ink-3 text-xs">{account.status}</span>
          </Link>
        </li>
      ))}
    </ul>
    {desk.accounts.length === 0 && !desk.accountsError && <p>No account is granted to you yet. Ask an admin for one.</p>}
  </EmptyState>
)
