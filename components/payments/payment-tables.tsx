'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { paymentColumns } from './payment-columns'
import { paymentLists } from './payment-lists'
import type { PaymentRow } from './payment-row'

const PayoutPanel = lazy(() => import('./payment-panels').then((module) => ({ default: module.PayoutPanel })))
const ChargePanel = lazy(() => import('./payment-panels').then((module) => ({ default: module.ChargePanel })))

function PaymentTable({ kind, rows, view, caption }: TableProps<PaymentRow> & { kind: PaymentKind }) {
  const desk = useDesk()
  const spec = paymentLists[kind]
  const hrefOf = useRowHref<PaymentRow>(spec)
  const columns = paymentColumns({ kind, desk, queue: view.tab.queue === true, hrefOf })
  return <ListTable spec={spec} view={view} caption={caption} rows={rows} columns={columns} />
}

/** The rows of the list of payouts. */
export const PayoutTable = (props: TableProps<PaymentRow>) => <PaymentTable {...props} kind="payout" />

/** The rows of the list of charges. */
export const ChargeTable = (props: TableProps<PaymentRow>) => <PaymentTable {...props} kind="charge" />

/** The list with the opened payout beside it. */
export const PayoutSplit = (props: SplitProps) => <ListSplit {...props} noun="payout" Panel={PayoutPanel} />

/** The list with the opened charge beside it. */
export const ChargeSplit = (props: SplitProps) => <ListSplit {...props} noun="charge" Panel={ChargePanel} />
