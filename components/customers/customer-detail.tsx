'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { ActionArea } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useDesk } from '@/components/kits/layout/desk-context'
import { later } from '@/components/kits/record/later'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { useOwner } from '@/components/kits/record/use-owner'
import { cn } from '@/components/ui/cn'
import { statusWords } from '@/lib/domain/status'
import { editPath } from '@/lib/routes'
import { type CustomerChoice, customerChoices } from './customer-choices'
import { CustomerEvidence } from './customer-evidence'
import { CustomerHead } from './customer-head'
import { CustomerVerdict } from './customer-verdict'
import { NewReviewLine } from './new-review-line'
import { useCustomerFacts } from './use-customer-facts'
import { useNewReview } from './use-new-review'

// Beside the evidence: drawn on the server, and alive a moment after what a decision needs.
const CustomerBackground = later(() => import('./customer-background').then((module) => module.CustomerBackground))
const RecordTimeline = later(() => import('@/components/kits/record/record-timeline').then((module) => module.RecordTimeline))
const CustomerForm = lazy(() => import('./customer-form').then((module) => ({ default: module.CustomerForm })))

/** One customer: where it stands, the evidence, what belongs to it, and the decision. The same beside the list and on its own page. */
export function CustomerDetail(props: RecordProps<'customers.get'>) {
  const { answer, actions, knownAccount, onClose, correlationId } = props
  const customer = answer.data
  const desk = useDesk()
  const router = useRouter()
  const owner = useOwner('customers', customer.id, knownAccount, 'customer')
  const facts = useCustomerFacts(customer.id)
  const state = useOutcome({ actions, stale: ['customers', 'payments', 'paykeys'], onChanged: props.onChanged })
  const [open, setOpen] = useState<CustomerChoice | null>(null)
  const closedOf = useClosed({ ownerWhy: owner.why, live: state.live })
  const review = useNewReview(customer.id)
  const editHref = editPath(desk.environment, 'customers', customer.id, { account: owner.account })
  return (
    <article className="flex min-h-full flex-col" aria-label="Customer">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <CustomerHead {...props} owner={owner} />
          <ReadTrouble one="customer" readError={props.readError} actionsError={props.actionsError} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <CustomerVerdict customer={customer} review={facts.review.fact} />
          <CustomerEvidence review={facts.review} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <Suspense fallback={null}>
            <CustomerBackground customer={customer} owner={owner} facts={facts} />
            <RecordTimeline history={[]} actions={actions} />
          </Suspense>
        </div>
      </div>
      <ActionArea
        id={customer.id}
        choices={customerChoices(customer, closedOf, () => router.push(editHref))}
        state={{
          ...state,
          setOutcome: (outcome) => {
            if (outcome?.operation === 'customers.refresh_review' && !outcome.error) review.watch()
            state.setOutcome(outcome)
          },
        }}
        open={open}
        onOpen={setOpen}
        now={statusWords('customer', customer.status).label}
        after={<NewReviewLine state={review.state} onRead={state.refresh} />}
        form={(form) =>
          owner.account !== null && (
            <CustomerForm
              {...form}
              customer={customer}
              account={owner.account}
              snapshot={answer.meta.snapshot}
              correlationId={correlationId}
            />
          )
        }
      />
    </article>
  )
}
