'use client'

import { useEffect, useEffectEvent } from 'react'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordAccountText, RecordHead } from '@/components/kits/record/record-head'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type PrefetchProps,
  type RecordContentProps,
  RecordPanel,
  RecordPrefetch,
} from '@/components/kits/record/record-panel'
import { type OwnerAccount, useOwnerAccount } from '@/components/kits/record/side-reads'
import type { ReadResult } from '@/lib/domain/check'
import { getStatusWords } from '@/lib/domain/status'
import { formatBankAccount, paykeyNouns } from '@/lib/features/paykeys/labels'
import { formatBalanceResult } from '@/lib/features/paykeys/rules'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { recordPath } from '@/lib/routes'
import { PaykeyActionArea, usePaykeyActions } from './actions'
import { BalancePanel, PaykeyBackgroundPanels, PaykeyVerdict } from './background'
import { PaykeyCheckList } from './check-list'
import { EvidencePanel } from './evidence-panel'
import { PendingPaymentsPanel } from './payments'
import { PaykeyRefreshButton, PaykeyRefreshStatusText } from './refresh'
import { usePaykeyRelatedReads } from './use-facts'

type PaykeyHeadProps = Pick<
  RecordContentProps<'paykeys.get'>,
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
          <ExternalText>{formatBankAccount(paykey)}</ExternalText>
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
      , <RecordAccountText owner={owner} />
    </RecordHead>
  )
}

/**
 * The record of a paykey: reason for its status, evidence, checks, pending payments, and actions.
 * Used on its own page and beside the list.
 */
function PaykeyDetail(props: RecordContentProps<'paykeys.get'>) {
  const { answer, actions, knownAccount, correlationId } = props
  const paykey = answer.data
  const ownerAccount = useOwnerAccount('paykeys', paykey.id, knownAccount, 'paykey')
  const relatedReads = usePaykeyRelatedReads(paykey)
  const paykeyActions = usePaykeyActions(props, ownerAccount, relatedReads)
  const { refreshes, getDisabledReason } = paykeyActions
  const customerName = relatedReads.customer.data?.name
  return (
    <RecordLayout
      label="Paykey"
      one="paykey"
      record={props}
      head={<PaykeyHead {...props} owner={ownerAccount} customer={relatedReads.customer} />}
      foot={
        <PaykeyActionArea
          {...{
            answer,
            actions,
            correlationId,
            owner: ownerAccount,
            facts: relatedReads,
            paykeyActions,
          }}
        />
      }
    >
      <RecordColumn>
        <PaykeyVerdict paykey={paykey} />
        <EvidencePanel
          review={relatedReads.review}
          customerName={customerName}
          aside={
            <PaykeyRefreshButton
              label="Re-verify"
              {...refreshes.review}
              disabledReason={getDisabledReason('refresh_review')}
            />
          }
        >
          <PaykeyRefreshStatusText
            state={refreshes.review.state}
            here="The bank account was re-verified. The results are updated."
          />
        </EvidencePanel>
        <PendingPaymentsPanel paykey={paykey} waiting={relatedReads.waiting} />
      </RecordColumn>
      <RecordColumn rest>
        <PaykeyCheckList answer={answer} actions={actions} facts={relatedReads} />
        <BalancePanel
          paykey={paykey}
          aside={
            <PaykeyRefreshButton
              label="Refresh balance"
              {...refreshes.balance}
              disabledReason={getDisabledReason('refresh_balance')}
            />
          }
        >
          <PaykeyRefreshStatusText
            state={refreshes.balance.state}
            here={formatBalanceResult(paykey)}
          />
        </BalancePanel>
        <PaykeyBackgroundPanels
          paykey={paykey}
          account={ownerAccount.account}
          customerName={customerName}
          facts={relatedReads}
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
    {({ data }) => <PaykeyReadsPrefetch {...props} paykey={data} />}
  </RecordPrefetch>
)

/**
 * Prefetches the data shown beside a paykey, and passes the customer's name to `onOwner`. Renders
 * nothing.
 */
function PaykeyReadsPrefetch({
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
