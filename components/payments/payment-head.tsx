'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { Owner } from '@/components/kits/record/use-owner'
import { statusWords } from '@/lib/domain/status'
import { paymentNouns } from './payment-nouns'
import type { PaymentProps } from './payment-props'

type PaymentHeadProps = Pick<PaymentProps, 'kind' | 'answer' | 'reading' | 'onRead' | 'onClose'> & { owner: Owner }

/** How much, to or from whom, for which account, in which environment; how old this is. */
export function PaymentHead({ kind, answer, owner, reading, onRead, onClose }: PaymentHeadProps) {
  const payment = answer.data
  const nouns = paymentNouns[kind]
  const { amountUnit } = useDesk()
  const title = (
    <>
      <span className="sr-only">{nouns.title} of </span>
      <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} withRaw />
    </>
  )
  return (
    <RecordHead
      nouns={nouns}
      record={payment}
      account={owner.account}
      title={title}
      status={statusWords('payment', payment.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      {nouns.way} <bdi className="font-medium text-ink">{payment.customer_details?.name ?? 'an unknown customer'}</bdi>,{' '}
      <bdi>{payment.paykey_details?.label ?? 'bank account unknown'}</bdi>, <OwnerWords owner={owner} />
    </RecordHead>
  )
}
