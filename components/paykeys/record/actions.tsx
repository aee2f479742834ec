'use client'

import { lazy, useState } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import { type Outcome, useOutcome, useRecordChangeSources } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import type { RecordContentProps } from '@/components/kits/record/record-panel'
import type { OwnerAccount } from '@/components/kits/record/side-reads'
import { toDecisionChoices } from '@/components/paykeys/forms/decision-choices'
import { formatReason } from '@/lib/domain/reasons'
import { getStatusWords } from '@/lib/domain/status'
import type { PaykeyDecision } from '@/lib/features/paykeys/decision'
import { type PaykeyAction, whyNotPaykeyAction } from '@/lib/features/paykeys/rules'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { usePaykeyRefreshes } from './refresh'
import type { PaykeyRelatedReads } from './use-facts'

const PaykeyForm = lazy(() =>
  import('@/components/paykeys/forms/form').then((module) => ({ default: module.PaykeyForm })),
)
const DecisionResult = lazy(() =>
  import('./decision-result').then((module) => ({ default: module.DecisionResult })),
)

/**
 * Returns the outcome of the last write, the refreshes, the open form, and the reason that an
 * action is unavailable.
 */
export function usePaykeyActions(
  props: RecordContentProps<'paykeys.get'>,
  owner: OwnerAccount,
  facts: PaykeyRelatedReads,
) {
  const { answer, actions, correlationId } = props
  const paykey = answer.data
  const outcomeState = useOutcome({
    actions,
    operation: 'paykeys.unblock',
    onChanged: props.onChanged,
  })
  const balanceAndReviewRefreshes = usePaykeyRefreshes({
    id: paykey.id,
    account: owner.account,
    correlationId,
    onOutcome: outcomeState.setOutcome,
  })
  const [openDecision, setOpenDecision] = useState<PaykeyDecision | null>(null)
  const changeSources = useRecordChangeSources(
    answer.meta.read_at,
    actions,
    paykey.status_details ? [paykey.status_details] : undefined,
  )
  const [pendingPaymentIds, setPendingPaymentIds] = useState<readonly string[]>([])
  const getWriteDisabledReason = useDisabledReasonGetter({
    ownerWhy: owner.why,
    live: outcomeState.live,
  })
  const getDisabledReason = (action: PaykeyAction) =>
    getWriteDisabledReason(`paykeys.${action}`, whyNotPaykeyAction(action, paykey, actions))
  const pendingPaymentsRead = facts.waiting
  // Undefined if a payment in the list could not be read: the list would be incomplete, and the
  // form must not show it as complete.
  const waitingPayments = pendingPaymentsRead.unread ? undefined : pendingPaymentsRead.data
  const openForm = (decision: PaykeyDecision | null) => {
    if (decision) setPendingPaymentIds(waitingPayments?.map((payment) => payment.id) ?? [])
    setOpenDecision(decision)
  }
  return {
    outcomeState,
    refreshes: balanceAndReviewRefreshes,
    openDecision,
    openForm,
    changeSources,
    pendingPaymentIds,
    waitingPayments,
    getDisabledReason,
  }
}

type PaykeyActionAreaProps = Pick<
  RecordContentProps<'paykeys.get'>,
  'answer' | 'actions' | 'correlationId'
> & {
  owner: OwnerAccount
  facts: PaykeyRelatedReads
  paykeyActions: ReturnType<typeof usePaykeyActions>
}

export function PaykeyActionArea({
  answer,
  actions,
  correlationId,
  owner,
  facts,
  paykeyActions,
}: PaykeyActionAreaProps) {
  const { outcomeState, waitingPayments, pendingPaymentIds, getDisabledReason } = paykeyActions
  const paykey = answer.data
  const customerName = facts.customer.data?.name
  return (
    <ActionArea<PaykeyDecision>
      id={paykey.id}
      claimed={paykey.status === 'review' ? 'paykeys' : undefined}
      choices={toDecisionChoices(paykey, getDisabledReason)}
      state={outcomeState}
      open={paykeyActions.openDecision}
      onOpen={paykeyActions.openForm}
      now={formatCurrentState(paykey)}
      happened={paykeyActions.changeSources}
      after={
        isApplied(outcomeState.outcome) && (
          <DecisionResult
            operation={outcomeState.outcome.operation}
            {...{ paykey, waited: pendingPaymentIds }}
            waiting={facts.waiting}
            lost={facts.lost}
          />
        )
      }
      form={(form) =>
        owner.of !== 'unknown' && (
          <PaykeyForm
            {...form}
            {...{ answer, facts, correlationId, customerName, waiting: waitingPayments, actions }}
            account={owner.account}
            snapshot={answer.meta.snapshot}
          />
        )
      }
    />
  )
}

/** True if the write was applied. Only then does the action bar show what the decision changed. */
const isApplied = (outcome: Outcome | null): outcome is Outcome =>
  outcome?.action?.state === 'applied' && !outcome.error

function formatCurrentState(paykey: Paykey): string {
  const statusLabel = getStatusWords('paykey', paykey.status)
  const statusMessage = paykey.status_details?.message
  return statusMessage ? `${statusLabel.label}: ${formatReason(statusMessage)}` : statusLabel.label
}
