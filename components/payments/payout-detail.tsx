'use client'

import { lazy, Suspense, useState } from 'react'
import { ActionArea, type ActionChoice } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { CheckList } from '@/components/kits/record/check-list'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { useOwner } from '@/components/kits/record/use-owner'
import { cn } from '@/components/ui/cn'
import { timeOf } from '@/lib/dates'
import { payoutChecks } from '@/lib/domain/payout-checks'
import { type PayoutAction, whyNot } from '@/lib/domain/payout-rules'
import { statusWords } from '@/lib/domain/status'
import type { Payout } from '@/lib/operations/payouts.schema'
import type { WriteId } from '@/lib/operations/rows'
import { PayoutHead } from './payout-head'
import { PayoutVerdict } from './payout-verdict'
import { usePayoutFacts } from './use-payout-facts'

// Below the checks: drawn on the server, and alive a moment after what a decision needs.
const PayoutDocuments = lazy(() => import('./payout-documents').then((module) => ({ default: module.PayoutDocuments })))
const PayoutBackground = lazy(() => import('./payout-background').then((module) => ({ default: module.PayoutBackground })))
const PayoutForm = lazy(() => import('./payout-form').then((module) => ({ default: module.PayoutForm })))

/** The decision panel: what, why, the checks, the story, and the decision. The same beside the list and on its own page. */
export function PayoutDetail(props: RecordProps<'payouts.get'>) {
  const { answer, actions, knownAccount, onClose, correlationId } = props
  const payout = answer.data
  const readAt = answer.meta.read_at ?? ''
  const desk = useDesk()
  const owner = useOwner('payouts', payout.id, knownAccount, 'payout')
  const [openedAt] = useState(() => timeOf(readAt) ?? Date.now())
  const facts = usePayoutFacts(payout, owner, openedAt)
  const now = useNow()
  const checks = payoutChecks({ payout, readAt, now, unit: desk.amountUnit, ...facts })
  const state = useOutcome({ actions, stale: ['payouts', 'payments'], onChanged: props.onChanged })
  const [open, setOpen] = useState<WriteId | null>(null)
  const [uploading, setUploading] = useState(false)
  const paykeyStatus = facts.paykey.state === 'known' ? facts.paykey.value.status : undefined
  const closedOf = useClosed({ ownerWhy: owner.why, live: state.live })
  const closed = (action: PayoutAction) => closedOf(`payouts.${action}`, whyNot(action, payout, { paykeyStatus, unit: desk.amountUnit }))
  const decide = (operation: WriteId | null) => {
    setOpen(operation)
    if (operation) setUploading(false)
  }
  const duplicates = checks.filter((check) => check.id === 'duplicates' && check.result === 'warn').map((check) => check.sentence)
  return (
    <article className="flex min-h-full flex-col" aria-label="Payout">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <PayoutHead {...props} owner={owner} />
          <ReadTrouble one="payout" readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <PayoutVerdict payout={payout} facts={facts} />
          <CheckList checks={checks} />
          <Suspense fallback={null}>
            <PayoutDocuments
              payout={payout}
              upload={{
                open: uploading,
                account: owner.account,
                closed: closed('authorize'),
                correlationId,
                releaseClosed: closed('release'),
                onClose: () => setUploading(false),
                onAttached: state.refresh,
                onRelease: () => decide('payouts.release'),
              }}
            />
          </Suspense>
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <RecordTimeline history={payout.status_history} actions={actions} />
          <Suspense fallback={null}>
            <PayoutBackground payout={payout} facts={facts} />
          </Suspense>
        </div>
      </div>
      <ActionArea
        id={payout.id}
        choices={choicesOf(closed, () => setUploading(true))}
        state={state}
        open={open}
        onOpen={decide}
        now={nowText(payout)}
        form={(form) =>
          owner.account !== null && (
            <PayoutForm
              {...form}
              payout={payout}
              account={owner.account}
              snapshot={answer.meta.snapshot}
              correlationId={correlationId}
              cautions={duplicates}
            />
          )
        }
      />
    </article>
  )
}

const choicesOf = (closed: (action: PayoutAction) => string | null, upload: () => void): ActionChoice[] => [
  { operation: 'payouts.release', opens: 'Release…', key: 'r', variant: 'primary', closed: closed('release') },
  { operation: 'payouts.hold', opens: 'Hold…', key: 'h', closed: closed('hold') },
  { operation: 'payouts.cancel', opens: 'Cancel payout…', key: 'x', variant: 'quiet', closed: closed('cancel') },
  { operation: 'payouts.authorize', opens: 'Upload proof', key: 'u', closed: closed('authorize'), aside: true, press: upload },
]

function nowText(payout: Payout): string {
  const words = statusWords('payment', payout.status)
  const message = payout.status_details?.message
  return message ? `${words.label} — ${message}` : words.label
}
