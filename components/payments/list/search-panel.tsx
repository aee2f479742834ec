'use client'

import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import type { SidePanelProps } from '@/components/kits/list/split'
import { RecordReadFailedNotice } from '@/components/kits/record/record-failed'
import { ChargePanel, PayoutPanel } from '@/components/payments/record/panels'
import { operationQuery } from '@/lib/client/query/reads'
import { AppError } from '@/lib/errors'

const unknownKindText =
  'The service does not say whether it is a charge or a payout, so Paydesk cannot open it.'

/**
 * The panel of a payment. If the kind is unknown (`get`), a search by id first finds out if the
 * payment is a charge or a payout.
 */
export function FoundPaymentPanel(props: SidePanelProps) {
  const context = usePageContext()
  const paymentQuery = useQuery({
    ...operationQuery(context, 'payments.search', { payment_id: props.id, page_size: 1 }),
    enabled: props.get === undefined,
  })
  const paymentType = paymentQuery.data?.data[0]?.payment_type
  if (props.get === 'payouts.get' || paymentType === 'payout') return <PayoutPanel {...props} />
  if (props.get === 'charges.get' || paymentType === 'charge') return <ChargePanel {...props} />
  if (paymentQuery.isPending) return <RecordSkeleton noun="payment" />
  const lookupError =
    paymentType === undefined
      ? new AppError('not_found')
      : new AppError('service_failed', unknownKindText)
  const error = (paymentQuery.error ?? lookupError).toWire()
  return (
    <RecordReadFailedNotice
      nouns={{ resource: 'payments', one: 'payment', many: 'payments' }}
      id={props.id}
      error={error}
      requestId={paymentQuery.error?.requestId}
      onAgain={() => void paymentQuery.refetch()}
      onClose={props.onClose}
    />
  )
}
