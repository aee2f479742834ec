'use client'

import { DataTable } from '@/components/kits/data-table/data-table'
import { useRowKeys } from '@/components/kits/data-table/use-row-keys'
import { useDesk } from '@/components/kits/layout/desk-context'
import { payoutColumns } from './payout-columns'
import type { PayoutRow } from './payout-row'
import type { PayoutView } from './payout-view'
import { useOpenRow } from './use-open-row'

/** The rows of the list. The one that is open is in the URL, so Back closes it and a link opens it. */
export function PayoutTable({ rows, view, caption }: { rows: readonly PayoutRow[]; view: PayoutView; caption: string }) {
  const desk = useDesk()
  const { open, show } = useOpenRow()
  const ids = rows.map((row) => row.id)
  const current = useRowKeys(ids, show, open)
  return (
    <DataTable
      caption={caption}
      columns={payoutColumns({ desk, view, onOpen: show })}
      rows={rows}
      rowId={(row) => row.id}
      current={current}
      open={open}
    />
  )
}
