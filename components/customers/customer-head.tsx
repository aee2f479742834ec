'use client'

import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import type { Owner } from '@/components/kits/record/use-owner'
import { statusWords } from '@/lib/domain/status'
import { customerNouns } from './customer-nouns'

type CustomerHeadProps = Pick<RecordProps<'customers.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & { owner: Owner }

/** Who, in which state, of which kind, for which account and where; how old this is. */
export function CustomerHead({ answer, owner, ...head }: CustomerHeadProps) {
  const customer = answer.data
  return (
    <RecordHead
      {...head}
      nouns={customerNouns}
      record={customer}
      account={owner.account}
      title={<bdi>{customer.name}</bdi>}
      status={statusWords('customer', customer.status)}
      readAt={answer.meta.read_at ?? ''}
    >
      {customer.type ?? 'customer of unknown kind'} <OwnerWords owner={owner} />
    </RecordHead>
  )
}
