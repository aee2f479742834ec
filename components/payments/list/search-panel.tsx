'use client'

import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import type { SidePanelProps } from '@/components/kits/list/split'
import { RecordFailed } from '@/components/kits/record/record-failed'
import { ChargePanel, PayoutPanel } from '@/components/payments/record/panels'
import { operationQuery } from '@/lib/client/query/reads'
import { AppError } from '@/lib/errors'
import { paymentNouns } from '@/lib/features/payments/labels'

const unknownKindText = 'The service does not say whether it is a charge or a payout, so Paydesk cannot open it.'

/** The panel of a payment. A link contains only the payment's id, so a search first finds its kind. */
export function SearchPanel(props: SidePanelProps) {
  const context = usePageContext()
  const paymentQuery = useQuery({
    ...operationQuery(context, 'payments.search', { payment_id: props.id, page_size: 1 }),
    enabled: props.get === undefined,
  })
  const type = paymentQuery.data?.data[0]?.payment_type
  if (props.get === 'payouts.get' || type === 'payout') return <PayoutPanel {...props} />
  if (props.get === 'charges.get' || type === 'charge') return <ChargePanel {...props} />
  if (paymentQuery.isPending) return <RecordSkeleton noun="payment" />
  const lookupError = type === undefined ? new AppError('not_found') : new AppError('service_failed', unknownKindText)
  const error = (paymentQuery.error ?? lookupError).toWire()
  const nouns = { ...paymentNouns.payout, one: 'payment' }
  return (
    <RecordFailed
      nouns={nouns}
      id={props.id}
      error={error}
      requestId={paymentQuery.error?.requestId}
      onAgain={() => void paymentQuery.refetch()}
      onClose={props.onClose}
    />
  )
}
