'use client'

import { useEffect, useEffectEvent } from 'react'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordHead, RecordOwnerText } from '@/components/kits/record/record-head'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type PrefetchProps,
  RecordPanel,
  RecordPrefetch,
  type RecordProps,
} from '@/components/kits/record/record-panel'
import { type OwnerAccount, useOwnerAccount } from '@/components/kits/record/side-reads'
import type { ReadResult } from '@/lib/domain/check'
import { getStatusWords } from '@/lib/domain/status'
import { bankAccountText, paykeyNouns } from '@/lib/features/paykeys/labels'
import { balanceResultText } from '@/lib/features/paykeys/rules'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { recordPath } from '@/lib/routes'
import { PaykeyActionArea, usePaykeyActions } from './actions'
import { BalancePanel, PaykeyBackground, PaykeyVerdict } from './background'
import { PaykeyCheckList } from './check-list'
import { EvidencePanel } from './evidence-panel'
import { PendingPaymentsPanel } from './payments'
import { RefreshButton, RefreshStatusText } from './refresh'
import { usePaykeyRelatedReads } from './use-facts'

type PaykeyHeadProps = Pick<
  RecordProps<'paykeys.get'>,
  'answer' | 'reading' | 'onRead' | 'onClose'
> & {
  owner: OwnerAccount
  customer: ReadResult<Customer>
}

function PaykeyHead({ answer, owner, customer, reading, onRead, onClose }: PaykeyHeadProps) {
  const context = usePageContext()
  const paykey = answer.data
  const shownCustomerName = customer.data ? customer.data.name : 'a customer'
  return (
    <RecordHead
      nouns={paykeyNouns}
      record={paykey}
      account={owner.account}
      title={
        <>
          <span className="sr-only">Paykey </span>
          <ExternalText>{bankAccountText(paykey)}</ExternalText>
        </>
      }
      status={getStatusWords('paykey', paykey.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      of{' '}
      {paykey.customer_id ? (
        <Link
          href={recordPath(context, 'customers', paykey.customer_id, { account: context.account })}
          className="font-medium text-accent hover:underline"
        >
          <ExternalText>{shownCustomerName}</ExternalText>
        </Link>
      ) : (
        'an unknown customer'
      )}
      , <RecordOwnerText owner={owner} />
    </RecordHead>
  )
}

/**
 * The record of a paykey: reason for its status, evidence, checks, pending payments, and actions.
 * Used on its own page and beside the list.
 */
function PaykeyDetail(props: RecordProps<'paykeys.get'>) {
  const { answer, actions, knownAccount, correlationId } = props
  const paykey = answer.data
  const ownerAccount = useOwnerAccount('paykeys', paykey.id, knownAccount, 'paykey')
  const facts = usePaykeyRelatedReads(paykey)
  const paykeyActions = usePaykeyActions(props, ownerAccount, facts)
  const { refreshes, getDisabledReason } = paykeyActions
  const customerName = facts.customer.data?.name
  return (
    <RecordLayout
      label="Paykey"
      one="paykey"
      record={props}
      head={<PaykeyHead {...props} owner={ownerAccount} customer={facts.customer} />}
      foot={
        <PaykeyActionArea
          {...{ answer, actions, correlationId, owner: ownerAccount, facts, paykeyActions }}
        />
      }
    >
      <RecordColumn>
        <PaykeyVerdict paykey={paykey} />
        <EvidencePanel
          review={facts.review}
          customerName={customerName}
          aside={
            <RefreshButton
              label="Re-verify"
              {...refreshes.review}
              disabledReason={getDisabledReason('refresh_review')}
            />
          }
        >
          <RefreshStatusText
            state={refreshes.review.state}
            here="The bank account was re-verified. The results are updated."
          />
        </EvidencePanel>
        <PendingPaymentsPanel paykey={paykey} waiting={facts.waiting} />
      </RecordColumn>
      <RecordColumn rest>
        <PaykeyCheckList answer={answer} actions={actions} facts={facts} />
        <BalancePanel
          paykey={paykey}
          aside={
            <RefreshButton
              label="Refresh balance"
              {...refreshes.balance}
              disabledReason={getDisabledReason('refresh_balance')}
            />
          }
        >
          <RefreshStatusText state={refreshes.balance.state} here={balanceResultText(paykey)} />
        </BalancePanel>
        <PaykeyBackground
          paykey={paykey}
          account={ownerAccount.account}
          customerName={customerName}
          facts={facts}
          actions={actions}
        />
      </RecordColumn>
    </RecordLayout>
  )
}

export const PaykeyPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="paykeys.get" nouns={paykeyNouns}>
    {(record) => <PaykeyDetail key={record.id} {...record} />}
  </RecordPanel>
)

export const PaykeyPrefetch = (props: PrefetchProps) => (
  <RecordPrefetch {...props} get="paykeys.get">
    {({ data }) => <PaykeyFactsPrefetch {...props} paykey={data} />}
  </RecordPrefetch>
)

/**
 * Prefetches the data shown beside a paykey, and passes the customer's name to `onOwner`. Renders
 * nothing.
 */
function PaykeyFactsPrefetch({
  paykey,
  knownAccount,
  onOwner,
}: PrefetchProps & { paykey: Paykey }): null {
  useOwnerAccount('paykeys', paykey.id, knownAccount, 'paykey')
  const { data } = usePaykeyRelatedReads(paykey).customer
  const prefetchedCustomerName = data?.name ?? null
  const reportCustomerName = useEffectEvent(onOwner)
  useEffect(() => {
    if (prefetchedCustomerName) reportCustomerName(prefetchedCustomerName)
  }, [prefetchedCustomerName])
  return null
}
