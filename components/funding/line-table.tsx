'use client'

import Link from 'next/link'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Status } from '@/components/kits/record/status'
import { ShortId } from '@/components/ui/short-id'
import type { Desk } from '@/lib/client/desk'
import { dayText } from '@/lib/dates'
import { fundingReasonText } from '@/lib/domain/funding-words'
import { formatMinor } from '@/lib/money'
import { recordPath } from '@/lib/routes'
import type { NumberedLine } from './funding-payments'

/** The lines of a funding event with what each adds and the sum so far. */
export function LineTable({ lines, account }: { lines: readonly NumberedLine[]; account: string | null }) {
  const desk = useDesk()
  return (
    <div className="@container -mx-3 mt-3 -mb-3 border-line border-t">
      <DataTable
        caption="Payments of the funding event"
        columns={columnsOf(desk, account)}
        rows={lines}
        rowId={({ line, number }) => `${number} ${line.id}`}
      />
    </div>
  )
}

const columnsOf = (desk: Desk, account: string | null): readonly Column<NumberedLine>[] => [
  { id: 'number', header: 'Line', align: 'end', cell: numberCell, className: 'w-18' },
  { id: 'payment', header: 'Payment', narrow: 'title', cell: paymentCell(desk, account), className: '@min-[44rem]:w-[26%]' },
  { id: 'reason', header: 'Reason', narrow: 'line', cell: reasonCell, className: '@min-[44rem]:w-24' },
  { id: 'state', header: 'State', cell: stateCell, className: 'w-32' },
  { id: 'date', header: 'Pay on', cell: dateCell, className: '@max-[60rem]:hidden w-28' },
  { id: 'id', header: 'Id', cell: ({ line }) => <ShortId id={line.id} className="text-ink-3" />, className: '@max-[68rem]:hidden w-36' },
  { id: 'amount', header: 'Adds', narrow: 'figure', align: 'end', cell: amountCell(desk), className: '@min-[44rem]:w-32' },
  { id: 'after', header: 'Sum so far', narrow: 'note', align: 'end', cell: afterCell, className: '@min-[44rem]:w-32' },
]

const numberCell = ({ number }: NumberedLine) => <span className="text-ink-3 tabular-nums">{number.toLocaleString('en-US')}</span>

const paymentCell =
  (desk: Desk, account: string | null) =>
  ({ line }: NumberedLine) => {
    const resource = line.payment_type === 'charge' ? 'charges' : 'payouts'
    return (
      <Link
        href={recordPath(desk.environment, resource, line.id, { account: desk.account ?? account })}
        prefetch={false}
        className="block truncate font-medium text-ink after:absolute after:inset-0 group-hover:underline"
      >
        <bdi>{line.customer_details?.name ?? 'Unknown customer'}</bdi>
        <span className="sr-only">
          , {line.payment_type} {line.id.slice(-6)}
        </span>
      </Link>
    )
  }

const reasonCell = ({ line }: NumberedLine) => (
  <span className="text-ink-2 @max-[44rem]:text-xs">{fundingReasonText(line.reason ?? 'none')}</span>
)

const stateCell = ({ line }: NumberedLine) => <Status kind="payment" status={line.status} />

const dateCell = ({ line }: NumberedLine) => (
  <span className="text-ink-2">{line.payment_date ? dayText(line.payment_date) : 'unknown'}</span>
)

const amountCell =
  (desk: Desk) =>
  ({ line }: NumberedLine) => <Amount raw={line.funding_amount} currency={line.currency ?? 'USD'} unit={desk.amountUnit} />

const afterCell = ({ after }: NumberedLine) =>
  after === null ? <span className="text-held">not counted</span> : <span className="text-ink-2 tabular-nums">{formatMinor(after)}</span>
