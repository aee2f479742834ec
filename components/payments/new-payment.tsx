'use client'

import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { useOwner } from '@/components/kits/record/use-owner'
import { QueryProvider } from '@/lib/client/query-provider'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { PickAccount } from './pick-account'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const NewPaymentForm = dynamic(() => import('./new-payment-form').then((module) => module.NewPaymentForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The page that makes a charge or a payout; `?paykey=` names the bank account to begin with. */
export function NewPayment({ kind }: { kind: PaymentKind }) {
  const desk = useDesk()
  const named = useSearchParams().get('paykey')?.toLowerCase() ?? ''
  const paykey = uuid.test(named) ? named : null
  return (
    <QueryProvider>
      {desk.account !== null && <NewPaymentForm key={desk.account} kind={kind} account={desk.account} paykey={paykey} />}
      {desk.account === null && paykey === null && <PickAccount kind={kind} why={null} />}
      {desk.account === null && paykey !== null && <OfPaykey kind={kind} paykey={paykey} />}
    </QueryProvider>
  )
}

/** A link that names a bank account names its account as well; it is learnt before anything is asked. */
function OfPaykey({ kind, paykey }: { kind: PaymentKind; paykey: string }) {
  const owner = useOwner('paykeys', paykey, null, 'bank account')
  if (owner.account !== null) return <NewPaymentForm kind={kind} account={owner.account} paykey={paykey} />
  if (owner.finding) return <RecordSkeleton noun="form" />
  return <PickAccount kind={kind} why={owner.why} />
}
