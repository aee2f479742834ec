'use client'

import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { getScopeForListLink, getScopeName, toOtherAccountSuffix } from '@/lib/client/page-context'
import { formatBankAccount } from '@/lib/features/paykeys/labels'
import { maxRelatedRecords } from '@/lib/features/paykeys/related'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import { listPath, recordPath } from '@/lib/routes'
import type { PaykeyRelatedReads } from './use-facts'

type OtherPaykeysProps = {
  paykey: Paykey
  siblings: PaykeyRelatedReads['siblings']
  alike: PaykeyRelatedReads['alike']
}

/** The customer's other bank accounts, and paykeys that seem to be the same bank account. */
export function OtherPaykeys({ paykey, siblings, alike }: OtherPaykeysProps) {
  const context = usePageContext()
  const { account } = context
  const scopeText = getScopeName(context, account)
  return (
    <Panel
      title="Other paykeys"
      aside={
        paykey.customer_id && (
          <Link
            href={listPath(getScopeForListLink(context, account), 'paykeys', {
              tab: 'all',
              customer_id: paykey.customer_id,
            })}
            className="text-accent text-xs hover:underline"
          >
            All for this customer{toOtherAccountSuffix(context, account)}
          </Link>
        )
      }
    >
      <div className="grid gap-3">
        <div className="grid gap-1">
          <h3 className="text-ink-3 text-xs">For this customer</h3>
          <ReadResultBlock read={siblings} onAgain={siblings.again} height="h-5">
            {(found) => (
              <OtherPaykeyRows
                rows={found.filter(({ id }) => id !== paykey.id)}
                none="No other paykeys."
              />
            )}
          </ReadResultBlock>
        </div>
        <div className="grid gap-1">
          <h3 className="text-ink-3 text-xs">Possibly the same bank account</h3>
          <ReadResultBlock read={alike} onAgain={alike.again} height="h-5">
            {(found) => <OtherPaykeyRows rows={found} none="None." customer={paykey.customer_id} />}
          </ReadResultBlock>
          <p className="text-ink-3 text-xs">
            Paykeys of {scopeText} with the same bank, account type and last four digits; at most{' '}
            {maxRelatedRecords} paykeys were compared. The service shows only the last four digits,
            so different accounts can match here, and an account entered differently can be missed.
          </p>
        </div>
      </div>
    </Panel>
  )
}

type OtherPaykeyRowsProps = {
  rows: readonly PaykeySummary[]
  none: string
  /** The customer of the paykey on this page. Other customers' rows are labeled. */
  customer?: string
}

function OtherPaykeyRows({ rows, none, customer }: OtherPaykeyRowsProps) {
  const context = usePageContext()
  const { account } = context
  if (rows.length === 0) return <p className="text-ink-3">{none}</p>
  return (
    <ul className="grid gap-1">
      {rows.slice(0, 8).map((row) => (
        <li key={row.id} className="flex min-h-6 flex-wrap items-center gap-x-2">
          <Link
            href={recordPath(context, 'paykeys', row.id, { account })}
            className="inline-flex min-h-6 items-center text-accent hover:underline"
          >
            <ExternalText>{formatBankAccount(row)}</ExternalText>
          </Link>
          <RecordStatusBadge kind="paykey" status={row.status} />
          {customer !== undefined && row.customer_id && row.customer_id !== customer && (
            <Link
              href={recordPath(context, 'customers', row.customer_id, { account })}
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
