'use client'

import { lazy, Suspense, useState } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { later } from '@/components/kits/record/later'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { useOwner } from '@/components/kits/record/use-owner'
import { cn } from '@/components/ui/cn'
import { paykeyChecks } from '@/lib/domain/paykey-checks'
import type { PaykeyDecision } from '@/lib/domain/paykey-reasons'
import { balanceResult } from '@/lib/domain/paykey-refresh'
import { type PaykeyAction, whyNot } from '@/lib/domain/paykey-rules'
import { statusWords } from '@/lib/domain/status'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { PaykeyHead } from './paykey-head'
import { PaykeyVerdict } from './paykey-verdict'
import { RefreshButton, RefreshLine } from './refresh-line'
import { choicesOf } from './turn-choices'
import { usePaykeyFacts } from './use-paykey-facts'
import { useRefreshes } from './use-refreshes'

// Drawn on the server; their scripts come a moment after those of the decision itself.
const EvidencePanel = later(() => import('./evidence-panel').then((module) => module.EvidencePanel))
const CheckList = later(() => import('@/components/kits/record/check-list').then((module) => module.CheckList))
const WaitingPanel = later(() => import('./waiting-panel').then((module) => module.WaitingPanel))
const BalancePanel = later(() => import('./balance-panel').then((module) => module.BalancePanel))
const PaykeyBackground = later(() => import('./paykey-background').then((module) => module.PaykeyBackground))
const PaykeyForm = lazy(() => import('./paykey-form').then((module) => ({ default: module.PaykeyForm })))
const AfterTurn = lazy(() => import('./after-turn').then((module) => ({ default: module.AfterTurn })))

/** The decision panel of a paykey: why, the evidence, the checks, what waits on it, and the decision. The same beside the list and on its own page. */
export function PaykeyDetail(props: RecordProps<'paykeys.get'>) {
  const { answer, actions, knownAccount, onClose, correlationId } = props
  const paykey = answer.data
  const { id } = paykey
  const readAt = answer.meta.read_at ?? ''
  const owner = useOwner('paykeys', id, knownAccount, 'paykey')
  const facts = usePaykeyFacts(paykey)
  const checks = usePaykeyChecks(props, facts)
  const state = useOutcome({ actions, stale: ['paykeys', 'payments'], onChanged: props.onChanged })
  const refreshes = useRefreshes({ id, account: owner.account, correlationId, onOutcome: state.setOutcome })
  const [open, setOpen] = useState<PaykeyDecision | null>(null)
  const [waited, setWaited] = useState<readonly string[]>([])
  const closedOf = useClosed({ ownerWhy: owner.why, live: state.live })
  const closed = (action: PaykeyAction) => closedOf(`paykeys.${action}`, whyNot(action, paykey, actions))
  const waiting = facts.waiting.fact.state === 'known' ? facts.waiting.fact.value : undefined
  const customerName = facts.customer.fact.state === 'known' ? facts.customer.fact.value.name : undefined
  const decide = (turn: PaykeyDecision | null) => {
    if (turn) setWaited(waiting?.map((payment) => payment.id) ?? [])
    setOpen(turn)
  }
  return (
    <article className="flex min-h-full flex-col" aria-label="Paykey">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <PaykeyHead {...props} owner={owner} customer={facts.customer.fact} />
          <ReadTrouble one="paykey" readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <PaykeyVerdict paykey={paykey} />
          <Suspense fallback={null}>
            <EvidencePanel
              review={facts.review}
              customerName={customerName}
              aside={<RefreshButton label="Verify anew" {...refreshes.review} closed={closed('refresh_review')} />}
            >
              <RefreshLine state={refreshes.review.state} here="The verification has run again; this is what it found." />
            </EvidencePanel>
            <WaitingPanel paykey={paykey} waiting={facts.waiting} />
          </Suspense>
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <Suspense fallback={null}>
            <CheckList checks={checks} />
            <BalancePanel
              paykey={paykey}
              aside={<RefreshButton label="Read the balance" {...refreshes.balance} closed={closed('refresh_balance')} />}
            >
              <RefreshLine state={refreshes.balance.state} here={balanceResult(paykey)} />
            </BalancePanel>
            <PaykeyBackground paykey={paykey} account={owner.account} customerName={customerName} facts={facts} actions={actions} />
          </Suspense>
        </div>
      </div>
      <ActionArea<PaykeyDecision>
        id={id}
        choices={choicesOf(paykey, closed)}
        state={state}
        open={open}
        onOpen={decide}
        now={nowText(paykey)}
        after={isDone(state.outcome) && <AfterTurn operation={state.outcome.operation} paykey={paykey} waited={waited} lost={facts.lost} />}
        form={(form) =>
          owner.account !== null && (
            <PaykeyForm
              {...form}
              {...{ paykey, readAt, correlationId, customerName, waiting, checks, actions }}
              account={owner.account}
              snapshot={answer.meta.snapshot}
            />
          )
        }
      />
    </article>
  )
}

/** Carried out, as far as the action book knows: only then something follows from it. */
const isDone = (outcome: Outcome | null): outcome is Outcome => outcome?.action?.state === 'applied' && !outcome.error

function usePaykeyChecks({ answer, actions }: RecordProps<'paykeys.get'>, facts: ReturnType<typeof usePaykeyFacts>) {
  const { amountUnit } = useDesk()
  const now = useNow()
  return paykeyChecks({
    paykey: answer.data,
    readAt: answer.meta.read_at ?? '',
    now,
    unit: amountUnit,
    review: facts.review.fact,
    customer: facts.customer.fact,
    alike: facts.alike.fact,
    actions,
  })
}

function nowText(paykey: Paykey): string {
  const words = statusWords('paykey', paykey.status)
  const message = paykey.status_details?.message
  return message ? `${words.label} — ${message}` : words.label
}
