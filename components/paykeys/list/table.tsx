'use client'

import { lazy, type ReactNode, use } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import {
  AccountCell,
  BankCell,
  buildCreatedColumn,
  CardText,
  queueNameClasses,
} from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { Boundary } from '@/components/ui/boundary'
import { Skeleton } from '@/components/ui/skeleton'
import { hasAccountColumn, type PageContext } from '@/lib/client/page-context'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { findReturnCode } from '@/lib/domain/return-codes'
import { findOwnValue } from '@/lib/domain/service-words'
import { getStateStartTime } from '@/lib/domain/status'
import { getPaykeyReasonText, getPaykeySourceText } from '@/lib/features/paykeys/status-texts'
import { moneyText } from '@/lib/money'
import { type PaykeyRow, paykeyList, tabsWithUnblockColumn, type WaitingPaymentSum } from './list'

/** For values that the list does not contain. They arrive after the row is rendered. */
const LateValue = ({ children }: { children: ReactNode }) => (
  <Boundary fallback={<Skeleton className="inline-block h-3 w-24 align-middle" />}>
    {children}
  </Boundary>
)

function CustomerName({ name }: { name: PaykeyRow['customer'] }) {
  const customerName = use(name)
  return customerName === null ? (
    <span className="text-ink-3">Name not read</span>
  ) : (
    <ExternalText>{customerName}</ExternalText>
  )
}

function WaitingPayments({ waiting }: { waiting: PaykeyRow['waiting'] }) {
  const waitingSum = use(waiting)
  if (waitingSum === null) return <span className="text-ink-3">not read</span>
  if (waitingSum.count === 0)
    return (
      <span className="text-ink-3">
        <span className="@max-[44rem]:hidden">{waitingSum.atLeast ? 'none seen' : 'none'}</span>
        <CardText>{`no pending payments${waitingSum.atLeast ? ' seen' : ''}`}</CardText>
      </span>
    )
  return (
    <span className="tabular-nums">
      <span className="font-medium">
        {waitingSum.count}
        {waitingSum.atLeast && '+'}
      </span>
      <CardText> pending</CardText>
      <span className="text-ink-2"> · {formatWaitingPaymentSums(waitingSum)}</span>
    </span>
  )
}

/** Returns the sums as text, charges and payouts separately: "$120.00 in, $80.00 out". */
function formatWaitingPaymentSums({ charges, payouts, unreadable }: WaitingPaymentSum): string {
  return [
    charges > 0 && `${moneyText(charges)} in`,
    payouts > 0 && `${moneyText(payouts)} out`,
    unreadable > 0 && 'unit unclear',
  ]
    .filter(Boolean)
    .join(', ')
}

type ColumnOptions = { context: PageContext; tab: string; hrefOf: (row: PaykeyRow) => string }

const tabsWithStatusColumn = ['other', 'all']

/**
 * On these tabs a row shows how long its paykey has been in this state. On the other tabs it shows
 * the age since creation.
 */
const stateTextByTab: Readonly<Record<string, string>> = {
  review: 'in review',
  blocked: 'blocked',
  unblockable: 'blocked',
}

function buildPaykeyColumns({
  context,
  tab,
  hrefOf,
}: ColumnOptions): readonly (ListColumn<PaykeyRow> | null)[] {
  const hasStatusColumn = tabsWithStatusColumn.includes(tab)
  return [
    buildCreatedColumn({
      id: 'age',
      waits: { word: findOwnValue(stateTextByTab, tab), since: getStateStartTime },
      className: '@min-[44rem]:w-36',
    }),
    {
      id: 'customer',
      header: 'Customer',
      narrow: 'title',
      cell: createCustomerCell(hrefOf),
      className: queueNameClasses,
    },
    {
      id: 'bank',
      sort: 'institution_name',
      header: 'Bank account',
      cell: renderBankCell,
    },
    {
      id: 'why',
      header: hasStatusColumn ? 'Status' : 'Why',
      narrow: 'line',
      cell: createReasonCell(hasStatusColumn),
    },
    {
      id: 'waiting',
      align: 'end',
      header: 'Pending payments',
      narrow: 'figure',
      cell: renderWaitingCell,
      className: '@min-[44rem]:w-44',
    },
    tabsWithUnblockColumn.includes(tab)
      ? {
          id: 'eligible',
          header: 'Unblock',
          cell: renderEligibleCell,
          className: '@max-[60rem]:hidden w-26',
        }
      : null,
    tab === 'active'
      ? {
          id: 'expires',
          sort: 'expires_at',
          header: 'Expires',
          cell: renderExpiresCell,
          className: 'w-26',
        }
      : null,
    hasAccountColumn(context, 'paykeys')
      ? {
          id: 'account',
          header: 'Account',
          cell: (row) => <AccountCell known={row.account} />,
          className: '@max-[60rem]:hidden',
        }
      : null,
    {
      id: 'source',
      header: 'Connected by',
      cell: (row) => <span className="text-ink-2">{getPaykeySourceText(row.source)}</span>,
      className: '@max-[90rem]:hidden w-32',
    },
  ]
}

const createCustomerCell = (hrefOf: ColumnOptions['hrefOf']) => (row: PaykeyRow) => (
  <RowLink
    id={row.id}
    href={hrefOf(row)}
    hidden={formatBankLabel(row.label ?? `paykey ${row.id.slice(-6)}`)}
  >
    <LateValue>
      <CustomerName name={row.customer} />
    </LateValue>
  </RowLink>
)

const renderBankCell = (row: PaykeyRow) => (
  <BankCell name={row.institution_name ?? row.label} account={row.bank_data?.account_number} />
)

function formatStatusReason(paykey: PaykeyRow): string {
  const { message, reason, code } = paykey.status_details ?? {}
  // The return code and its meaning are enough here: the tab or the status badge already shows
  // "blocked".
  if (paykey.status === 'blocked') return formatBlockReason(code)
  return message ?? getPaykeyReasonText(reason) ?? ''
}

function formatBlockReason(code: string | undefined): string {
  const meaning = findReturnCode(code)?.meaning
  if (meaning) return `${code}: ${meaning}`
  return code ? `Blocked after a return with ${code}` : 'Blocked after a return'
}

const createReasonCell = (shouldShowStatus: boolean) => (row: PaykeyRow) => (
  <span className="flex items-center gap-2 @max-[44rem]:text-xs">
    {shouldShowStatus && <RecordStatusBadge kind="paykey" status={row.status} />}
    <ExternalText className="line-clamp-2 w-32 min-w-0 grow whitespace-normal text-ink-2 text-xs leading-4 wrap-anywhere @max-[44rem]:line-clamp-none">
      <span className="@min-[44rem]:hidden">{formatBankLabel(row.label ?? 'Unknown bank')} · </span>
      {formatStatusReason(row)}
    </ExternalText>
  </span>
)

const renderWaitingCell = (row: PaykeyRow) => (
  <LateValue>
    <WaitingPayments waiting={row.waiting} />
  </LateValue>
)

/**
 * Shows if a blocked paykey can be unblocked: "not known" if the service does not send the field.
 */
function renderEligibleCell({ status, unblock_eligible }: PaykeyRow) {
  if (status !== 'blocked') return null
  if (unblock_eligible) return <span className="font-medium text-ink">possible once</span>
  return (
    <span className="text-ink-3">
      {unblock_eligible === undefined ? 'not known' : 'not possible'}
    </span>
  )
}

const renderExpiresCell = (row: PaykeyRow) => (
  <RelativeTime at={row.expires_at} show="ago" className="text-ink-2" />
)

const PaykeyPanel = lazy(() =>
  import('@/components/paykeys/record/panel').then((module) => ({ default: module.PaykeyPanel })),
)
const PaykeyPrefetch = lazy(() =>
  import('@/components/paykeys/record/panel').then((module) => ({
    default: module.PaykeyPrefetch,
  })),
)

export function PaykeyTable({ rows, view, caption }: TableProps<PaykeyRow>) {
  const context = usePageContext()
  const toRowHref = useRowHref<PaykeyRow>(paykeyList)
  const columns = buildPaykeyColumns({ context, tab: view.tab.id, hrefOf: toRowHref })
  return <ListTable spec={paykeyList} view={view} caption={caption} rows={rows} columns={columns} />
}

export const PaykeySplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="paykey" Panel={PaykeyPanel} Prefetch={PaykeyPrefetch} />
)
