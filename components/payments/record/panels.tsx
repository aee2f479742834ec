'use client'

import { lazy } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import { useRecordOpenedAt } from '@/components/kits/action/outcome'
import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordAccountText, RecordHead } from '@/components/kits/record/record-head'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type PrefetchProps,
  RecordPanel,
  RecordPrefetch,
} from '@/components/kits/record/record-panel'
import { type OwnerAccount, useOwnerAccount } from '@/components/kits/record/side-reads'
import { getPaymentOperation } from '@/components/payments/operations'
import { parseTime } from '@/lib/dates'
import { formatBankLabel } from '@/lib/domain/bank-label'
import type { Payment } from '@/lib/domain/payment-kind'
import { isPaymentUndecided } from '@/lib/domain/payment-rules'
import { formatReason } from '@/lib/domain/reasons'
import { getStatusWords } from '@/lib/domain/status'
import { paymentNouns } from '@/lib/features/payments/labels'
import { PaymentBackgroundPanels, PaymentDocuments, PaymentTimeline } from './background'
import { PaymentCheckList } from './check-list'
import { PaymentRelations } from './relations'
import { type PaymentRelatedReads, usePaymentRelatedReads } from './use-facts'
import { type PaymentDetailProps, usePaymentActions } from './use-payment-actions'
import { PaymentVerdict } from './verdict'

/** Prefetches the data shown beside a payment. Renders nothing. */
function PaymentPrefetch({
  kind,
  answer,
  knownAccount,
}: Pick<PaymentDetailProps, 'kind' | 'answer' | 'knownAccount'>): null {
  const payment = answer.data
  const { resource, one } = paymentNouns[kind]
  const ownerAccount = useOwnerAccount(resource, payment.id, knownAccount, one)
  usePaymentRelatedReads(
    kind,
    payment,
    ownerAccount,
    parseTime(answer.meta.read_at ?? '') ?? Date.now(),
  )
  return null
}

type PaymentHeadProps = Pick<
  PaymentDetailProps,
  'kind' | 'answer' | 'reading' | 'onRead' | 'onClose'
> & { owner: OwnerAccount }

function PaymentHead({ kind, answer, owner, reading, onRead, onClose }: PaymentHeadProps) {
  const payment = answer.data
  const nouns = paymentNouns[kind]
  const { amountUnit } = usePageContext()
  const paymentTitle = (
    <>
      <span className="sr-only">{nouns.title} of </span>
      <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} />
    </>
  )
  return (
    <RecordHead
      nouns={nouns}
      record={payment}
      account={owner.account}
      title={paymentTitle}
      status={getStatusWords('payment', payment.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      {nouns.way}{' '}
      <ExternalText className="font-medium text-ink">
        {payment.customer_details?.name ?? 'an unknown customer'}
      </ExternalText>
      ,{' '}
      <ExternalText>
        {formatBankLabel(payment.paykey_details?.label ?? 'bank account unknown')}
      </ExternalText>
      , <RecordAccountText owner={owner} />
    </RecordHead>
  )
}

// Loaded lazily, so that the header and the action bar do not wait for the form's script.
const PaymentForm = lazy(() =>
  import('@/components/payments/forms/form').then((module) => ({ default: module.PaymentForm })),
)

type PaymentActionAreaProps = Pick<
  PaymentDetailProps,
  'kind' | 'answer' | 'actions' | 'correlationId'
> & {
  owner: OwnerAccount
  facts: PaymentRelatedReads
  openedAt: number
  paymentActions: ReturnType<typeof usePaymentActions>
}

function PaymentActionArea({
  kind,
  answer,
  actions,
  correlationId,
  owner,
  facts,
  openedAt,
  paymentActions,
}: PaymentActionAreaProps) {
  const payment = answer.data
  return (
    <ActionArea
      id={payment.id}
      claimed={payment.status === 'on_hold' ? paymentNouns[kind].resource : undefined}
      choices={paymentActions.choices}
      state={paymentActions.state}
      open={paymentActions.open}
      onOpen={paymentActions.decide}
      now={formatCurrentState(payment)}
      happened={{ history: payment.status_history, actions, since: openedAt }}
      form={(form) =>
        owner.of !== 'unknown' && (
          <PaymentForm
            {...form}
            kind={kind}
            payment={payment}
            account={owner.account}
            snapshot={answer.meta.snapshot}
            correlationId={correlationId}
            facts={facts}
            readAt={answer.meta.read_at ?? ''}
          />
        )
      }
    />
  )
}

/**
 * The record of a payment: facts, reason for its status, checks, history and actions. Used on its
 * own page and beside a list.
 */
function PaymentDetail(props: PaymentDetailProps) {
  const { kind, answer, actions, knownAccount, correlationId } = props
  const payment = answer.data
  const readAt = answer.meta.read_at ?? ''
  const { resource, one, title } = paymentNouns[kind]
  const owner = useOwnerAccount(resource, payment.id, knownAccount, one)
  const openedAt = useRecordOpenedAt(readAt)
  const relatedReads = usePaymentRelatedReads(kind, payment, owner, openedAt)
  const paymentActions = usePaymentActions(props, owner, relatedReads)
  const { disabledReasonOf, decide, resubmit } = paymentActions
  const sidePanelProps = { kind, payment, facts: relatedReads, account: owner.account }
  return (
    <RecordLayout
      label={title}
      one={one}
      record={props}
      head={<PaymentHead {...props} owner={owner} />}
      foot={
        <PaymentActionArea
          {...{
            kind,
            answer,
            actions,
            correlationId,
            owner,
            facts: relatedReads,
            openedAt,
            paymentActions,
          }}
        />
      }
    >
      <RecordColumn>
        <PaymentVerdict
          kind={kind}
          payment={payment}
          actions={actions}
          facts={relatedReads}
          next={{
            account: owner.account,
            disabledReason: disabledReasonOf('resubmit'),
            onResubmit: resubmit,
          }}
        />
        {isPaymentUndecided(payment.status) && (
          <PaymentCheckList kind={kind} payment={payment} facts={relatedReads} readAt={readAt} />
        )}
        <PaymentDocuments
          payment={payment}
          actions={actions}
          upload={{
            kind,
            open: paymentActions.uploading,
            onOpen: () => paymentActions.setUploading(true),
            account: owner.account,
            disabledReason: disabledReasonOf('authorize'),
            correlationId,
            releaseDisabledReason: disabledReasonOf('release'),
            onClose: () => paymentActions.setUploading(false),
            onAttached: () => props.onChanged?.(),
            onRelease: () => decide(getPaymentOperation(kind, 'release')),
          }}
        />
      </RecordColumn>
      <RecordColumn rest>
        <PaymentTimeline payment={payment} actions={actions} />
        <PaymentRelations {...sidePanelProps} />
        <PaymentBackgroundPanels {...sidePanelProps} />
      </RecordColumn>
    </RecordLayout>
  )
}

function formatCurrentState(payment: Payment): string {
  const statusLabel = getStatusWords('payment', payment.status)
  const statusMessage = payment.status_details?.message
  return statusMessage ? `${statusLabel.label}: ${formatReason(statusMessage)}` : statusLabel.label
}

export const PayoutPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="payouts.get" nouns={paymentNouns.payout}>
    {(record) => <PaymentDetail key={record.id} {...record} kind="payout" />}
  </RecordPanel>
)

export const ChargePanel = (props: PanelProps) => (
  <RecordPanel {...props} get="charges.get" nouns={paymentNouns.charge}>
    {(record) => <PaymentDetail key={record.id} {...record} kind="charge" />}
  </RecordPanel>
)

export const PayoutPrefetch = (props: PrefetchProps) => (
  <RecordPrefetch {...props} get="payouts.get">
    {(answer) => (
      <PaymentPrefetch kind="payout" answer={answer} knownAccount={props.knownAccount} />
    )}
  </RecordPrefetch>
)

export const ChargePrefetch = (props: PrefetchProps) => (
  <RecordPrefetch {...props} get="charges.get">
    {(answer) => (
      <PaymentPrefetch kind="charge" answer={answer} knownAccount={props.knownAccount} />
    )}
  </RecordPrefetch>
)
