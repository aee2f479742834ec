'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { BesideProps } from '@/components/kits/list/list-split'
import { RecordFailed } from '@/components/kits/record/record-failed'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { read } from '@/lib/client/queries'
import { QueryProvider } from '@/lib/client/query-provider'
import { AppError } from '@/lib/errors'
import { paymentNouns } from './payment-nouns'
import { ChargePanel, PayoutPanel } from './payment-panels'

/** The opened payment, as the charge or the payout it is. A link names only its id, so its kind is asked for first. */
export const SearchPanel = (props: BesideProps) => (
  <QueryProvider>
    <Kind {...props} />
  </QueryProvider>
)

function Kind(props: BesideProps) {
  const desk = useDesk()
  const found = useQuery(read(desk, 'payments.search', { payment_id: props.id, page_size: 1 }))
  if (found.isPending) return <RecordSkeleton noun="payment" />
  const type = found.data?.data[0]?.payment_type
  if (type === 'payout') return <PayoutPanel {...props} />
  if (type) return <ChargePanel {...props} />
  const error = (found.error ?? new AppError('not_found')).toWire()
  const nouns = { ...paymentNouns.payout, one: 'payment' }
  return (
    <RecordFailed
      nouns={nouns}
      id={props.id}
      error={error}
      requestId={found.error?.requestId}
      onAgain={() => void found.refetch()}
      onClose={props.onClose}
    />
  )
}
