'use client'

import { lazy, Suspense, useState } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { later } from '@/components/kits/record/later'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import { useOwner } from '@/components/kits/record/use-owner'
import { cn } from '@/components/ui/cn'
import { timeOf } from '@/lib/dates'
import { paymentChecks } from '@/lib/domain/payment-checks'
import type { Payment } from '@/lib/domain/payment-kind'
import { resubmitCautions } from '@/lib/domain/payment-rules'
import { statusWords } from '@/lib/domain/status'
import { PaymentHead } from './payment-head'
import { paymentNouns } from './payment-nouns'
import { operationOf } from './payment-operations'
import type { PaymentProps } from './payment-props'
import { PaymentVerdict } from './payment-verdict'
import { usePaymentFacts } from './use-payment-facts'
import { usePaymentWork } from './use-payment-work'

// Below and beside the checks: drawn on the server, and alive a moment after what a decision needs.
const CheckList = later(() => import('@/components/kits/record/check-list').then((module) => module.CheckList))
const PaymentDocuments = later(() => import('./payment-documents').then((module) => module.PaymentDocuments))
const PaymentRelations = later(() => import('./payment-relations').then((module) => module.PaymentRelations))
const PaymentBackground = later(() => import('./payment-background').then((module) => module.PaymentBackground))
const RecordTimeline = later(() => import('@/components/kits/record/record-timeline').then((module) => module.RecordTimeline))
const PaymentForm = lazy(() => import('./payment-form').then((module) => ({ default: module.PaymentForm })))

/** The decision panel: what, why, the checks, the story, and the decision. The same beside the list and on its own page. */
export function PaymentDetail(props: PaymentProps) {
  const { kind, answer, actions, knownAccount, onClose, correlationId } = props
  const payment = answer.data
  const readAt = answer.meta.read_at ?? ''
  const { amountUnit } = useDesk()
  const { resource, one, title } = paymentNouns[kind]
  const owner = useOwner(resource, payment.id, knownAccount, one)
  const [openedAt] = useState(() => timeOf(readAt) ?? Date.now())
  const facts = usePaymentFacts(kind, payment, owner, openedAt)
  const checks = paymentChecks({ kind, payment, readAt, now: useNow(), unit: amountUnit, ...facts })
  const work = usePaymentWork(props, owner, facts)
  const { state, closed, decide } = work
  const duplicates = checks.filter((check) => check.id === 'duplicates' && check.result === 'warn')
  return (
    <article className="flex min-h-full flex-col" aria-label={title}>
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <PaymentHead {...props} owner={owner} />
          <ReadTrouble one={one} readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <PaymentVerdict
            kind={kind}
            payment={payment}
            facts={facts}
            next={{ account: owner.account, closed: closed('resubmit'), onResubmit: () => decide(operationOf(kind, 'resubmit')) }}
          />
          <Suspense fallback={null}>
            <CheckList checks={checks} />
            <PaymentDocuments
              payment={payment}
              upload={{
                kind,
                open: work.uploading,
                account: owner.account,
                closed: closed('authorize'),
                correlationId,
                releaseClosed: closed('release'),
                onClose: () => work.setUploading(false),
                onAttached: state.refresh,
                onRelease: () => decide(operationOf(kind, 'release')),
              }}
            />
          </Suspense>
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <Suspense fallback={null}>
            <RecordTimeline history={payment.status_history} actions={actions} />
            <PaymentRelations kind={kind} payment={payment} facts={facts} account={owner.account} />
            <PaymentBackground kind={kind} payment={payment} facts={facts} account={owner.account} />
          </Suspense>
        </div>
      </div>
      <ActionArea
        id={payment.id}
        choices={work.choices}
        state={state}
        open={work.open}
        onOpen={decide}
        now={nowText(payment)}
        form={(form) =>
          owner.account !== null && (
            <PaymentForm
              {...form}
              kind={kind}
              payment={payment}
              account={owner.account}
              snapshot={answer.meta.snapshot}
              correlationId={correlationId}
              cautions={{
                release: duplicates.map(({ sentence }) => `${sentence} Send it all the same.`),
                resubmit: resubmitCautions(payment, work.paykeyStatus),
              }}
            />
          )
        }
      />
    </article>
  )
}

function nowText(payment: Payment): string {
  const words = statusWords('payment', payment.status)
  const message = payment.status_details?.message
  return message ? `${words.label} — ${message}` : words.label
}
