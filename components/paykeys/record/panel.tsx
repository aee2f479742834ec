'use client'

import { lazy, useEffect, useEffectEvent, useState } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import { type Outcome, useChangeSources, useOutcome } from '@/components/kits/action/outcome'
import { useDisabledReason } from '@/components/kits/action/use-disabled-reason'
import { Link } from '@/components/kits/layout/link'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordHead, RecordOwnerText } from '@/components/kits/record/record-head'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import { type PanelProps, type PrefetchProps, RecordPanel, RecordPrefetch, type RecordProps } from '@/components/kits/record/record-panel'
import { type Owner, useOwner } from '@/components/kits/record/side-reads'
import { toDecisionChoices } from '@/components/paykeys/forms/decision-choices'
import type { ReadResult } from '@/lib/domain/check'
import { statusWords } from '@/lib/domain/status'
import type { PaykeyDecision } from '@/lib/features/paykeys/decision'
import { bankText, paykeyNouns } from '@/lib/features/paykeys/labels'
import { balanceResultText, type PaykeyAction, whyNotPaykeyAction } from '@/lib/features/paykeys/rules'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { recordPath } from '@/lib/routes'
import { BalancePanel, PaykeyBackground, PaykeyVerdict } from './background'
import { PaykeyCheckList } from './check-list'
import { EvidencePanel } from './evidence-panel'
import { WaitingPanel } from './payments'
import { RefreshButton, RefreshStatusText, useRefreshes } from './refresh'
import { usePaykeyFacts } from './use-facts'

type PaykeyHeadProps = Pick<RecordProps<'paykeys.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & {
  owner: Owner
  customer: ReadResult<Customer>
}

function PaykeyHead({ answer, owner, customer, reading, onRead, onClose }: PaykeyHeadProps) {
  const context = usePageContext()
  const paykey = answer.data
  const name = customer.data ? customer.data.name : 'a customer'
  return (
    <RecordHead
      nouns={paykeyNouns}
      record={paykey}
      account={owner.account}
      title={
        <>
          <span className="sr-only">Paykey </span>
          <OutsideText>{bankText(paykey)}</OutsideText>
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
          href={recordPath(context, 'customers', paykey.customer_id, { account: context.account })}
          className="font-medium text-accent hover:underline"
        >
          <OutsideText>{name}</OutsideText>
        </Link>
      ) : (
        'an unknown customer'
      )}
      , <RecordOwnerText owner={owner} />
    </RecordHead>
  )
}

const PaykeyForm = lazy(() => import('@/components/paykeys/forms/form').then((module) => ({ default: module.PaykeyForm })))
const DecisionResult = lazy(() => import('./decision-result').then((module) => ({ default: module.DecisionResult })))

/**
 * The record of a paykey: reason for its status, evidence, checks, pending payments, and actions. Used on its own page and beside the list.
 */
function PaykeyDetail(props: RecordProps<'paykeys.get'>) {
  const { answer, actions, knownAccount, correlationId } = props
  const paykey = answer.data
  const { id } = paykey
  const owner = useOwner('paykeys', id, knownAccount, 'paykey')
  const facts = usePaykeyFacts(paykey)
  const outcomeState = useOutcome({ actions, operation: 'paykeys.unblock', onChanged: props.onChanged })
  const refreshes = useRefreshes({ id, account: owner.account, correlationId, onOutcome: outcomeState.setOutcome })
  const [open, setOpen] = useState<PaykeyDecision | null>(null)
  const changeSources = useChangeSources(answer.meta.read_at, actions, paykey.status_details ? [paykey.status_details] : undefined)
  const [waited, setWaited] = useState<readonly string[]>([])
  const writeDisabledReason = useDisabledReason({ ownerWhy: owner.why, live: outcomeState.live })
  const getDisabledReason = (action: PaykeyAction) => writeDisabledReason(`paykeys.${action}`, whyNotPaykeyAction(action, paykey, actions))
  const waitingRead = facts.waiting
  // Undefined if a row could not be read, because that payment would be missing.
  const waitingPayments = waitingRead.unread ? undefined : waitingRead.data
  const customerName = facts.customer.data?.name
  const openForm = (decision: PaykeyDecision | null) => {
    if (decision) setWaited(waitingPayments?.map((payment) => payment.id) ?? [])
    setOpen(decision)
  }
  return (
    <RecordLayout
      label="Paykey"
      one="paykey"
      record={props}
      head={<PaykeyHead {...props} owner={owner} customer={facts.customer} />}
      foot={
        <ActionArea<PaykeyDecision>
          id={id}
          claimed={paykey.status === 'review' ? 'paykeys' : undefined}
          choices={toDecisionChoices(paykey, getDisabledReason)}
          state={outcomeState}
          open={open}
          onOpen={openForm}
          now={formatCurrentState(paykey)}
          happened={changeSources}
          after={
            isApplied(outcomeState.outcome) && (
              <DecisionResult
                operation={outcomeState.outcome.operation}
                {...{ paykey, waited }}
                waiting={facts.waiting}
                lost={facts.lost}
              />
            )
          }
          form={(form) =>
            owner.account !== null && (
              <PaykeyForm
                {...form}
                {...{ answer, facts, correlationId, customerName, waiting: waitingPayments, actions }}
                account={owner.account}
                snapshot={answer.meta.snapshot}
              />
            )
          }
        />
      }
    >
      <RecordColumn>
        <PaykeyVerdict paykey={paykey} />
        <EvidencePanel
          review={facts.review}
          customerName={customerName}
          aside={<RefreshButton label="Re-verify" {...refreshes.review} disabledReason={getDisabledReason('refresh_review')} />}
        >
          <RefreshStatusText state={refreshes.review.state} here="The bank account was re-verified. The results are updated." />
        </EvidencePanel>
        <WaitingPanel paykey={paykey} waiting={facts.waiting} />
      </RecordColumn>
      <RecordColumn rest>
        <PaykeyCheckList answer={answer} actions={actions} facts={facts} />
        <BalancePanel
          paykey={paykey}
          aside={<RefreshButton label="Refresh balance" {...refreshes.balance} disabledReason={getDisabledReason('refresh_balance')} />}
        >
          <RefreshStatusText state={refreshes.balance.state} here={balanceResultText(paykey)} />
        </BalancePanel>
        <PaykeyBackground paykey={paykey} account={owner.account} customerName={customerName} facts={facts} actions={actions} />
      </RecordColumn>
    </RecordLayout>
  )
}

/** True if the action log shows the action as applied. The result is shown only then. */
const isApplied = (outcome: Outcome | null): outcome is Outcome => outcome?.action?.state === 'applied' && !outcome.error

function formatCurrentState(paykey: Paykey): string {
  const words = statusWords('paykey', paykey.status)
  const message = paykey.status_details?.message
  return message ? `${words.label} — ${message}` : words.label
}

export const PaykeyPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="paykeys.get" nouns={paykeyNouns}>
    {(record) => <PaykeyDetail key={record.id} {...record} />}
  </RecordPanel>
)

export const PaykeyPrefetch = (props: PrefetchProps) => (
  <RecordPrefetch {...props} get="paykeys.get">
    {({ data }) => <PrefetchFacts {...props} paykey={data} />}
  </RecordPrefetch>
)

/** Prefetches the reads beside a paykey and passes the customer's name to `onOwner`. Renders nothing. */
function PrefetchFacts({ paykey, knownAccount, onOwner }: PrefetchProps & { paykey: Paykey }): null {
  useOwner('paykeys', paykey.id, knownAccount, 'paykey')
  const { data } = usePaykeyFacts(paykey).customer
  const name = data?.name ?? null
  const reportOwner = useEffectEvent(onOwner)
  useEffect(() => {
    if (name) reportOwner(name)
  }, [name])
  return null
}
