import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { AccountCell } from '@/components/kits/list/account-cell'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { Badge } from '@/components/ui/badge'
import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Desk } from '@/lib/client/desk'
import { dayText } from '@/lib/dates'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { BankCell } from './bank-cell'
import { paymentNouns } from './payment-nouns'
import type { PaymentRow } from './payment-row'

type Context = { kind: PaymentKind; desk: Desk; queue: boolean; hrefOf: (row: PaymentRow) => string }

/** The columns: why it is held in the queue, the state elsewhere, and the account where the scope is the whole platform. */
export function paymentColumns({ kind, desk, queue, hrefOf }: Context): readonly (ListColumn<PaymentRow> | null)[] {
  const { resource, one, title, way, on } = paymentNouns[kind]
  return [
    { id: 'age', sort: 'created_at', narrow: 'note', header: createdHead, cell: ageCell, className: '@min-[44rem]:w-48' },
    {
      id: 'amount',
      sort: 'amount',
      narrow: 'figure',
      align: 'end',
      header: 'Amount',
      cell: amountCell(desk),
      className: '@min-[44rem]:w-28',
    },
    {
      id: 'customer',
      header: way === 'to' ? 'To' : 'From',
      narrow: 'title',
      cell: customerCell(one, hrefOf),
      className: '@min-[44rem]:w-[16%]',
    },
    { id: 'bank', header: 'Bank account', cell: ({ bank }) => <BankCell bank={bank} />, className: '@max-[56rem]:hidden w-[13%]' },
    { id: 'why', header: queue ? 'Why held' : 'State', narrow: 'line', cell: whyCell(queue) },
    desk.account === null
      ? {
          id: 'account',
          header: 'Account',
          cell: (row) => <AccountCell resource={resource} id={row.id} known={row.account} />,
          className: 'w-29',
        }
      : null,
    { id: 'date', sort: 'payment_date', header: on, cell: dateCell, className: 'w-26' },
    { id: 'id', header: title, cell: (row) => <ShortId id={row.id} className="text-ink-3" />, className: '@max-[76rem]:hidden w-36' },
  ]
}

const createdHead: ReactNode = (
  <span>
    Created, <ZoneName />
  </span>
)

const ageCell = (row: PaymentRow) => (
  <>
    <RelativeTime at={row.created_at} show="both" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)

const amountCell = (desk: Desk) => (row: PaymentRow) => (
  <Amount raw={row.amount} currency={row.currency} unit={desk.amountUnit} className="font-medium" />
)

const customerCell = (one: string, hrefOf: Context['hrefOf']) => (row: PaymentRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`${one} ${row.id.slice(-6)}`}>
    <bdi>{row.customer ?? 'Unknown customer'}</bdi>
  </RowLink>
)

const whyCell = (queue: boolean) => (row: PaymentRow) => {
  const why = (
    <bdi className="truncate text-ink-2" title={row.why}>
      {row.why}
    </bdi>
  )
  return (
    <span className="flex items-center gap-2 @max-[44rem]:text-xs">
      {!queue && <StatusBadge tone={row.tone}>{row.status}</StatusBadge>}
      {row.mark && <Badge>{row.mark}</Badge>}
      {row.why && why}
    </span>
  )
}

const dateCell = (row: PaymentRow) => <span className="text-ink-2">{row.payment_date ? dayText(row.payment_date) : 'unknown'}</span>
