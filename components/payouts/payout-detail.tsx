'use client'

import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import type { CallError } from '@/lib/client/call-error'
import { newCorrelationId } from '@/lib/client/keys'
import type { CallAnswer } from '@/lib/client/request'
import { timeOf } from '@/lib/dates'
import type { Decision } from '@/lib/domain/decision-reasons'
import type { ActionView } from '@/lib/operations/answer'
import type { Payout } from '@/lib/operations/payouts.schema'
import { DecisionArea } from './decision-area'
import { type Outcome, openAction, withLatest } from './outcome'
import { PayoutCheckList, useChecks } from './payout-check-list'
import { PayoutHead } from './payout-head'
import { PayoutSections } from './payout-sections'
import { PayoutVerdict } from './payout-verdict'
import { useClosedReasons } from './use-closed-reasons'
import { usePayoutAccount } from './use-payout-account'
import { usePayoutFacts } from './use-payout-facts'

// Below the checks: drawn on the server, and alive a moment after what a decision needs.
const PayoutDocuments = lazy(() => import('./payout-documents').then((module) => ({ default: module.PayoutDocuments })))

export type PayoutDetailProps = {
  answer: CallAnswer<Payout>
  readError: CallError | null
  reading: boolean
  onRead: () => void
  actions: readonly ActionView[]
  actionsError: CallError | null
  knownAccount: string | null
  onClose?: () => void
  onChanged?: () => void
}

/** The decision panel: what, why, the checks, the story, and the decision. The same beside the list and on its own page. */
export function PayoutDetail(props: PayoutDetailProps) {
  const { answer, actions, knownAccount, onClose } = props
  const payout = answer.data
  const readAt = answer.meta.read_at ?? ''
  const owner = usePayoutAccount(payout.id, knownAccount)
  const [openedAt] = useState(() => timeOf(readAt) ?? Date.now())
  const [correlationId] = useState(newCorrelationId)
  const facts = usePayoutFacts(payout, owner, openedAt)
  const checks = useChecks(payout, readAt, facts)
  const { outcome, live, setOutcome, settle, refresh, signedIn } = useOutcome(props)
  const [open, setOpen] = useState<Decision | null>(null)
  const [uploading, setUploading] = useState(false)
  const paykeyStatus = facts.paykey.state === 'known' ? facts.paykey.value.status : undefined
  const closed = useClosedReasons({ payout, paykeyStatus, owner, live })
  const decide = (decision: Decision | null) => {
    setOpen(decision)
    if (decision) setUploading(false)
  }
  return (
    <article className="flex min-h-full flex-col" aria-label="Payout">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <PayoutHead payout={payout} owner={owner} readAt={readAt} reading={props.reading} onRead={props.onRead} onClose={onClose} />
          <ReadTrouble {...props} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <PayoutVerdict payout={payout} facts={facts} />
          <PayoutCheckList checks={checks} />
          <Suspense fallback={null}>
            <PayoutDocuments
              payout={payout}
              upload={{
                open: uploading,
                account: owner.account,
                closed: closed.authorize,
                correlationId,
                releaseClosed: closed.release,
                onClose: () => setUploading(false),
                onAttached: refresh,
                onRelease: () => decide('release'),
              }}
            />
          </Suspense>
        </div>
        <PayoutSections payout={payout} actions={actions} facts={facts} />
      </div>
      <DecisionArea
        payout={payout}
        account={owner.account}
        snapshot={answer.meta.snapshot}
        correlationId={correlationId}
        cautions={checks.filter((check) => check.id === 'duplicates' && check.result === 'warn').map((check) => check.sentence)}
        closed={closed}
        live={live}
        outcome={outcome}
        open={open}
        onOpen={decide}
        onOutcome={setOutcome}
        onSettled={settle}
        onSignedIn={signedIn}
        onUpload={() => setUploading(true)}
      />
    </article>
  )
}

/** The outcome of the last write and the action that is still open, kept in step with the action book. */
function useOutcome({ actions, onChanged }: PayoutDetailProps) {
  const desk = useDesk()
  const client = useQueryClient()
  const [last, setLast] = useState<Outcome | null>(null)
  const refresh = () => {
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === desk.environment && ['payouts', 'payments', 'actions'].includes(String(queryKey[2])),
    })
    onChanged?.()
  }
  const setOutcome = (outcome: Outcome | null) => {
    setLast(outcome)
    // The list is reconciled after a failure as well: only a reading tells what is there. Without a session the server would lead to the
    // sign-in page instead, and what was typed would be gone.
    if (outcome && outcome.error?.code !== 'unauthenticated') onChanged?.()
  }
  const settle = (action: ActionView) => {
    setLast({ operation: action.operation, action })
    refresh()
  }
  const outcome = withLatest(last, actions)
  const signedIn = () => {
    setLast(null)
    refresh()
  }
  return { outcome, live: openAction(last, actions), setOutcome, settle, refresh, signedIn }
}

/** What could not be read again: the old stays on the screen and says that it is old. An ended session is told once, above the page. */
const ReadTrouble = ({ readError, actionsError }: PayoutDetailProps) => (
  <>
    {readError && readError.code !== 'unauthenticated' && (
      <ErrorNotice
        what="This payout could not be read again; below is the last reading"
        error={{ ...readError.toWire() }}
        requestId={readError.requestId}
      />
    )}
    {actionsError && actionsError.code !== 'unauthenticated' && (
      <ErrorNotice
        what="What Paydesk did with this payout could not be read"
        error={{ ...actionsError.toWire() }}
        requestId={actionsError.requestId}
      />
    )}
  </>
)
