'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import type { Owner } from '@/components/kits/record/use-owner'
import type { Fact } from '@/lib/domain/fact'
import { statusWords } from '@/lib/domain/status'
import type { Customer } from '@/lib/operations/customers.schema'
import { recordPath } from '@/lib/routes'
import { bankText } from './bank-text'
import { paykeyNouns } from './paykey-nouns'

type PaykeyHeadProps = Pick<RecordProps<'paykeys.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & {
  owner: Owner
  customer: Fact<Customer>
}

/** Which bank account, whose, for which account, in which environment; how old this is. */
export function PaykeyHead({ answer, owner, customer, reading, onRead, onClose }: PaykeyHeadProps) {
  const desk = useDesk()
  const paykey = answer.data
  const name = customer.state === 'known' ? customer.value.name : 'a customer'
  return (
    <RecordHead
      nouns={paykeyNouns}
      record={paykey}
      account={owner.account}
      title={
        <>
          <span className="sr-only">Paykey </span>
          <bdi>{bankText(paykey)}</bdi>
        </>
      }
      status={statusWords('paykey', paykey.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      of{' '}
      {paykey.customer_id ? (
        <Link
          href={recordPath(desk.environment, 'customers', paykey.customer_id, { account: desk.account })}
          className="font-medium text-accent hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
      ) : (
        'an unknown customer'
      )}
      , <OwnerWords owner={owner} />
    </RecordHead>
  )
}
