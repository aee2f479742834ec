'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { FactRead } from '@/components/kits/record/fact-read'
import { useFact } from '@/components/kits/record/use-fact'
import { buttonVariants } from '@/components/ui/button-variants'
import { StatusBadge } from '@/components/ui/status-badge'
import { standingOf } from '@/lib/domain/account-words'
import type { Account } from '@/lib/operations/accounts.schema'
import { newPath, recordPath } from '@/lib/routes'

/** The most accounts one reading gives. */
const most = 1000

/** The accounts of an organization. The service cannot be asked for those of one, so all are read and the others left out. */
export function OrganizationAccounts({ id }: { id: string }) {
  const desk = useDesk()
  const { fact, meta, again } = useFact({ ...desk, account: null }, 'accounts.list', {
    page_size: most,
    sort_by: 'name',
    sort_order: 'asc',
  })
  const own = fact.state === 'known' ? fact.value.filter((account) => account.organization_id === id) : []
  const beyond = (meta?.total_items ?? 0) - (fact.state === 'known' ? fact.value.length : 0)
  return (
    <Panel
      title="Accounts"
      aside={
        <span className="flex items-center gap-2 text-ink-3 text-xs">
          {fact.state === 'known' && own.length}
          <Link
            href={newPath(desk.environment, 'accounts', { organization: id })}
            className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
          >
            New account
          </Link>
        </span>
      }
    >
      <FactRead fact={fact} onAgain={again}>
        {() => (own.length === 0 ? <p className="text-ink-2">No account within it yet.</p> : <AccountLines accounts={own} />)}
      </FactRead>
      {fact.state === 'known' && beyond > 0 && (
        <p className="mt-2 text-held text-xs">
          {beyond.toLocaleString('en-US')} accounts of the platform were not read; some of them may belong here too.
        </p>
      )}
    </Panel>
  )
}

function AccountLines({ accounts }: { accounts: readonly Account[] }) {
  const { environment } = useDesk()
  return (
    <ul className="grid">
      {accounts.map((account) => {
        const { label, tone, why } = standingOf(account)
        const scope = `acct_${account.id}`
        return (
          <li
            key={account.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-1.5 first:pt-0 last:border-b-0 last:pb-0"
          >
            <Link
              href={recordPath(environment, 'accounts', account.id, { account: scope })}
              className="inline-flex min-h-6 items-center font-medium text-ink hover:underline"
            >
              <bdi>{account.business_profile?.name ?? account.id}</bdi>
            </Link>
            <StatusBadge tone={tone}>{label}</StatusBadge>
            {why && <span className="text-ink-3 text-xs">{why}</span>}
          </li>
        )
      })}
    </ul>
  )
}
