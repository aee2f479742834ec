'use client'

import Link from 'next/link'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { AccountCell } from '@/components/kits/list/account-cell'
import type { WorkRow } from '@/lib/domain/work'
import { formatMinor } from '@/lib/money'
import type { Resource } from '@/lib/operations/define'
import { SinceText } from './since-text'

/** Two lines; three on a phone, where the account goes below. The order of reading is the same in both. */
const places = {
  row: 'grid-cols-[fit-content(62%)_minmax(0,1fr)_auto] max-sm:grid-cols-[minmax(0,1fr)_auto]',
  account: 'max-sm:col-start-1 max-sm:row-start-3',
  figure: 'max-sm:col-start-2 max-sm:row-start-1',
  line: 'col-span-2 max-sm:row-start-2',
  since: 'max-sm:col-start-2 max-sm:row-start-3',
}

/** One thing that waits. The link covers the row, so that a click anywhere opens it. */
export function WorkRowLine({ row }: { row: WorkRow }) {
  const desk = useDesk()
  const [resource, id] = row.key.split('/') as [Resource, string]
  return (
    <li
      className={`group relative grid items-baseline gap-x-2 border-line border-b px-3 py-1.5 last:border-b-0 hover:bg-sunken ${places.row}`}
    >
      <Link
        href={row.href}
        prefetch={false}
        className="flex min-w-0 gap-1 font-medium text-ink after:absolute after:inset-0 group-hover:underline"
      >
        <bdi className="truncate">{row.title}</bdi>
        {row.tail && <span className="shrink-0">{row.tail}</span>}
        <span className="sr-only">, {id?.slice(-6)}</span>
      </Link>
      <span className={`truncate text-ink-3 text-xs ${places.account}`}>
        {row.account !== undefined && <AccountCell resource={resource} id={id} known={row.account} />}
      </span>
      <span className={`text-right ${places.figure}`}>
        {row.amount && <Amount raw={row.amount.raw} currency={row.amount.currency} unit={desk.amountUnit} className="font-medium" />}
        {row.waiting !== undefined && <Behind waiting={row.waiting} />}
      </span>
      <span className={`flex min-w-0 gap-1.5 text-ink-2 text-xs ${places.line}`}>
        {row.code && <code className="shrink-0 font-mono text-ink">{row.code}</code>}
        <bdi className="truncate" title={row.line}>
          {row.line}
        </bdi>
      </span>
      <span className={`whitespace-nowrap text-right text-ink-3 text-xs ${places.since}`}>
        <SinceText since={row.since} due={row.due} />
      </span>
    </li>
  )
}

/** The payments behind a bank account; unknown where they could not be read. */
function Behind({ waiting }: { waiting: WorkRow['waiting'] }) {
  if (!waiting) return <span className="text-held text-xs">payments behind it unknown</span>
  if (waiting.count === 0) return <span className="text-ink-3 text-xs">no payment waits</span>
  return (
    <span className="tabular-nums">
      <span className="text-ink-3 text-xs">{waiting.count === 1 ? '1 payment, ' : `${waiting.count} payments, `}</span>
      <span className="font-medium">{formatMinor(waiting.sum)}</span> <span className="text-[0.8em] text-ink-3">USD</span>
    </span>
  )
}
