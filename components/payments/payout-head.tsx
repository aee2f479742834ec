'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import type { Owner } from '@/components/kits/record/use-owner'
import { statusWords } from '@/lib/domain/status'
import { payoutNouns } from './payout-nouns'

type PayoutHeadProps = Pick<RecordProps<'payouts.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & { owner: Owner }

/** How much, to whom, for which account, in which environment; how old this is. */
export function PayoutHead({ answer, owner, reading, onRead, onClose }: PayoutHeadProps) {
  const payout = answer.data
  const { amountUnit } = useDesk()
  const title = (
    <>
      <span className="sr-only">Payout of </span>
      <Amount raw={payout.amount} currency={payout.currency} unit={amountUnit} withRaw />
    </>
  )
  return (
    <RecordHead
      nouns={payoutNouns}
      record={payout}
      account={owner.account}
      title={title}
      status={statusWords('payment', payout.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      to <bdi className="font-medium text-ink">{payout.customer_details?.name ?? 'an unknown customer'}</bdi>,{' '}
      <bdi>{payout.paykey_details?.label ?? 'bank account unknown'}</bdi>, <OwnerWords owner={owner} />
    </RecordHead>
  )
}
