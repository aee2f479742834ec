'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Notice } from '@/components/ui/notice'
import { read } from '@/lib/client/queries'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { OperationId } from '@/lib/operations/rows'
import { LostPayments, lostOf } from './lost-payments'
import { PaymentLine } from './payment-line'
import { mostRead, type PaykeyReads } from './use-paykey-facts'

const lookEvery = 5_000
const looks = 6

type AfterTurnProps = {
  operation: OperationId
  paykey: Paykey
  /** The payments that waited when the form was opened. */
  waited: readonly string[]
  lost: PaykeyReads['lost']
}

/** What follows from a decision that was carried out. */
export function AfterTurn({ operation, paykey, waited, lost }: AfterTurnProps) {
  if (operation === 'paykeys.decide') return <AfterDecision id={paykey.id} waited={waited} />
  return operation === 'paykeys.unblock' ? <AfterUnblock paykey={paykey} lost={lost} /> : null
}

/** After a decision: where the payments that waited stand now, read from the service rather than assumed. */
function AfterDecision({ id, waited }: { id: string; waited: readonly string[] }) {
  const desk = useDesk()
  const payments = useQuery({
    ...read(desk, 'payments.search', { paykey_id: id, page_size: mostRead, sort_by: 'updated_at' }),
    enabled: waited.length > 0,
    refetchInterval: ({ state }) => (state.dataUpdateCount < looks ? lookEvery : false),
  })
  if (waited.length === 0) return null
  const found = payments.data?.data.filter((payment) => waited.includes(payment.id)) ?? []
  return (
    <div className="grid gap-1">
      <h3 className="text-ink-3 text-xs">The payments that waited, as they stand now</h3>
      {payments.error && <p className="text-ink-2 text-sm">They could not be read: {payments.error.message}</p>}
      <ul aria-label="Payments that waited" className="grid">
        {found.map((payment) => (
          <PaymentLine key={payment.id} payment={payment} />
        ))}
      </ul>
      {found.length < waited.length && payments.data && (
        <p className="text-ink-3 text-xs">{waited.length - found.length} more are not among the newest of this paykey.</p>
      )}
    </div>
  )
}

/** After an unblock: whether the service shows it as usable, and what was lost and can be sent again. */
function AfterUnblock({ paykey, lost }: { paykey: Paykey; lost: PaykeyReads['lost'] }) {
  const payments = lostOf(lost).filter(({ has_resubmit }) => !has_resubmit)
  if (paykey.status !== 'active') {
    return <Notice tone="held" title="The service does not show it as active yet. Read it again before a payment is made." />
  }
  if (payments.length === 0) return <p className="text-ink-2 text-sm">No failed payment has to be sent again.</p>
  return (
    <div className="grid gap-1">
      <h3 className="font-medium text-sm">
        {payments.length === 1 ? 'One payment was' : `${payments.length} payments were`} lost to the block and can be sent again:
      </h3>
      <LostPayments payments={payments} usable />
    </div>
  )
}
