'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { FactRead } from '@/components/kits/record/fact-read'
import { Status } from '@/components/kits/record/status'
import { buttonVariants } from '@/components/ui/button-variants'
import { nameOf, purposeList, purposeText, servedBy } from '@/lib/domain/linked-bank-rules'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import { newPath, recordPath } from '@/lib/routes'
import { useLinkedOf } from './use-linked-of'

/** What serves each purpose of the same owner: this one, another, or none. What this one was meant for stands there even when it no longer counts. */
export function PurposeGrid({ linked }: { linked: LinkedBankAccount }) {
  const { environment } = useDesk()
  const { fact, again } = useLinkedOf(linked.account_id ?? 'platform')
  const account = linked.account_id ? `acct_${linked.account_id}` : null
  return (
    <Panel
      title="What serves what"
      aside={
        <Link
          href={newPath(environment, 'linked_bank_accounts', { account })}
          className={`${buttonVariants({ size: 'small', variant: 'quiet' })} print:hidden`}
        >
          Link another
        </Link>
      }
    >
      <p className="mb-2 text-ink-2">
        This one is for{' '}
        <span className="font-medium text-ink">
          {linked.purposes.length === 0 ? 'nothing' : linked.purposes.map((purpose) => purposeText(purpose).toLowerCase()).join(', ')}
        </span>
        {linked.description && (
          <>
            : “<bdi>{linked.description}</bdi>”
          </>
        )}
        .
      </p>
      <FactRead fact={fact} onAgain={again} height="h-29">
        {(all) => (
          <ul className="grid">
            {purposeList.map((purpose) => (
              <PurposeLine key={purpose.id} purpose={purpose} serving={servedBy(all, purpose.id)} shown={linked.id} account={account} />
            ))}
          </ul>
        )}
      </FactRead>
    </Panel>
  )
}

type PurposeLineProps = {
  purpose: (typeof purposeList)[number]
  serving: LinkedBankAccount | undefined
  shown: string
  account: string | null
}

function PurposeLine({ purpose, serving, shown, account }: PurposeLineProps) {
  const { environment } = useDesk()
  return (
    <li className="grid grid-cols-[5rem_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b py-1.5 last:border-b-0">
      <span className="text-ink-3" title={purpose.meaning}>
        {purpose.label}
      </span>
      {!serving && <span className="text-ink-3">none serves this</span>}
      {serving?.id === shown && <span className="font-semibold">this one</span>}
      {serving && serving.id !== shown && (
        <Link
          href={recordPath(environment, 'linked_bank_accounts', serving.id, { account })}
          className="inline-flex min-h-6 min-w-0 items-center font-medium text-ink hover:underline"
        >
          <bdi className="truncate">{nameOf(serving)}</bdi>
        </Link>
      )}
      {serving && <Status kind="linked_bank_account" status={serving.status} />}
    </li>
  )
}
