import Link from 'next/link'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import type { Desk } from '@/lib/client/desk'
import { payoutsPath } from '@/lib/routes'

/** For people whose grant names accounts: nothing is read until one of them is chosen. */
export const ChooseAccount = ({ desk }: { desk: Desk }) => (
  <EmptyState level={1} title="Choose an account" className="lg:px-6">
    {desk.denied && <p className="font-medium text-ink">{desk.denied}</p>}
    <p>Your access is for single accounts, so payouts are shown for one account at a time.</p>
    {desk.accountsError && <ErrorNotice error={desk.accountsError} what="The accounts could not be read" />}
    <ul className="grid w-full gap-1">
      {desk.accounts.map((account) => (
        <li key={account.id}>
          <Link
            href={payoutsPath(desk.environment, { account: account.id })}
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
