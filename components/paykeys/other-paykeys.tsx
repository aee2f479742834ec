'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { FactRead } from '@/components/kits/record/fact-read'
import { Status } from '@/components/kits/record/status'
import { accountName } from '@/lib/client/desk'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import { bankText } from './bank-text'
import { mostRead, type PaykeyReads } from './use-paykey-facts'

type OtherPaykeysProps = { paykey: Paykey; siblings: PaykeyReads['siblings']; alike: PaykeyReads['alike'] }

/** The customer's other bank accounts, and others that seem to be this very one. */
export function OtherPaykeys({ paykey, siblings, alike }: OtherPaykeysProps) {
  const desk = useDesk()
  const { environment, account } = desk
  const where = account === null ? 'the whole platform' : accountName(desk, account)
  return (
    <Panel
      title="Other paykeys"
      aside={
        paykey.customer_id && (
          <Link
            href={listPath(environment, 'paykeys', { account, tab: 'all', customer_id: paykey.customer_id })}
            className="text-accent text-xs hover:underline"
          >
            All of the customer
          </Link>
        )
      }
    >
      <div className="grid gap-3">
        <div className="grid gap-1">
          <h3 className="text-ink-3 text-xs">Of this customer</h3>
          <FactRead fact={siblings.fact} onAgain={siblings.again} height="h-5">
            {(found) => <Rows rows={found.filter(({ id }) => id !== paykey.id)} none="No other one." />}
          </FactRead>
        </div>
        <div className="grid gap-1">
          <h3 className="text-ink-3 text-xs">Seem to be the same bank account</h3>
          <FactRead fact={alike.fact} onAgain={alike.again} height="h-5">
            {(found) => <Rows rows={found} none="None." customer={paykey.customer_id} />}
          </FactRead>
          <p className="text-ink-3 text-xs">
            Same bank, kind and last four digits among {mostRead} matches in {where}. The service shows no more of a number, so two accounts
            can look alike and one that is typed differently can be missed.
          </p>
        </div>
      </div>
    </Panel>
  )
}

type RowsProps = {
  rows: readonly PaykeySummary[]
  none: string /** Whose paykey stands on the page; others are pointed out. */
  customer?: string
}

function Rows({ rows, none, customer }: RowsProps) {
  const { environment, account } = useDesk()
  if (rows.length === 0) return <p className="text-ink-3">{none}</p>
  return (
    <ul className="grid gap-1">
      {rows.slice(0, 8).map((row) => (
        <li key={row.id} className="flex flex-wrap items-center gap-x-2">
          <Link href={recordPath(environment, 'paykeys', row.id, { account })} className="text-accent hover:underline">
            <bdi>{bankText(row)}</bdi>
          </Link>
          <Status kind="paykey" status={row.status} />
          {customer !== undefined && row.customer_id && row.customer_id !== customer && (
            <Link
              href={recordPath(environment, 'customers', row.customer_id, { account })}
              className="text-held text-xs underline hover:no-underline"
            >
              another customer
            </Link>
          )}
          <RelativeTime at={row.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
        </li>
      ))}
      {rows.length > 8 && <li className="text-ink-3 text-xs">and {rows.length - 8} more</li>}
    </ul>
  )
}
