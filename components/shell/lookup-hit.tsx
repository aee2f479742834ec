'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { Desk } from '@/lib/client/desk'
import { payoutPath, payoutsPath } from '@/lib/routes'
import type { Hit } from './use-lookup'

type Shown = { what: string; name: ReactNode; state: string; href: string | null; does: string }

/** One thing an id was found to be, with the way there. */
export function LookupHit({ hit, onDone }: { hit: Hit; onDone: () => void }) {
  const desk = useDesk()
  const { what, name, state, href, does } = shown(hit, desk)
  const content = (
    <>
      <span className="flex items-baseline justify-between gap-2">
        <span className="truncate font-medium text-ink">{name}</span>
        <span className="shrink-0 text-ink-3 text-xs">{state}</span>
      </span>
      <span className="text-ink-3 text-xs">
        {what} · {does}
      </span>
    </>
  )
  return (
    <li>
      {href ? (
        <Link href={href} prefetch={false} onClick={onDone} className="grid rounded-sm px-2 py-1.5 hover:bg-ink/5">
          {content}
        </Link>
      ) : (
        <span className="grid px-2 py-1.5">{content}</span>
      )}
    </li>
  )
}

function shown(hit: Hit, { environment, account, amountUnit }: Desk): Shown {
  switch (hit.kind) {
    case 'payout': {
      const { id, amount, currency, status, customer_details } = hit.data
      const name = (
        <>
          <Amount raw={amount} currency={currency} unit={amountUnit} /> to {customer_details?.name ?? 'an unknown customer'}
        </>
      )
      return { what: 'Payout', name, state: status, href: payoutPath(environment, id, { account }), does: 'open it' }
    }
    case 'charge':
      return {
        what: 'Charge',
        name: <Amount raw={hit.data.amount} currency={hit.data.currency} unit={amountUnit} />,
        state: hit.data.status,
        href: null,
        does: 'charges have no page on this desk',
      }
    case 'customer':
      return {
        what: 'Customer',
        name: hit.data.name ?? 'Without a name',
        state: hit.data.status ?? '',
        href: payoutsPath(environment, { account, customer_id: hit.data.id }),
        does: 'show the payouts to them',
      }
    case 'paykey':
      return {
        what: 'Paykey',
        name: hit.data.label ?? 'Without a label',
        state: hit.data.status,
        href: payoutsPath(environment, { account, paykey_id: hit.data.id }),
        does: 'show the payouts to it',
      }
    case 'account':
      return {
        what: 'Account',
        name: hit.data.business_profile?.name ?? 'Without a name',
        state: hit.data.status,
        href: payoutsPath(environment, { account: `acct_${hit.data.id}` }),
        does: 'work in its scope',
      }
  }
}
