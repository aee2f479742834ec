'use client'

import { useRouter } from 'next/navigation'
import { type ComponentProps, lazy, useState } from 'react'
import { type CustomerActionName, listCustomerActions } from '@/components/customers/forms/choices'
import { ActionArea } from '@/components/kits/action/action-area'
import { type Outcome, useOutcome, useRecordChangeSources } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
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
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { type OwnerAccount, useOwnerAccount } from '@/components/kits/record/side-reads'
import { Boundary } from '@/components/ui/boundary'
import { getNameOrDefault } from '@/lib/domain/service-words'
import { getStatusWords } from '@/lib/domain/status'
import { customerNouns } from '@/lib/features/customers/labels'
import { editRecordPath } from '@/lib/routes'
import { CustomerBackgroundPanels, CustomerVerdict } from './background'
import { CustomerEvidence } from './evidence'
import type { RequestedReview } from './new-review'
import { type CustomerRelatedReads, useCustomerRelatedReads } from './use-facts'

type CustomerHeadProps = Pick<
  RecordContentProps<'customers.get'>,
  'answer' | 'reading' | 'onRead' | 'onClose'
> & { owner: OwnerAccount }

function CustomerHead({ answer, owner, ...head }: CustomerHeadProps) {
  const customer = answer.data
  return (
    <RecordHead
      {...head}
      nouns={customerNouns}
      record={customer}
      account={owner.account}
      title={<ExternalText>{getNameOrDefault(customer.name, 'Unnamed customer')}</ExternalText>}
      status={getStatusWords('customer', customer.status)}
      readAt={answer.meta.read_at ?? ''}
    >
      {customer.type ?? 'customer of unknown type'} <RecordAccountText owner={owner} />
    </RecordHead>
  )
}

const ReverificationStatus = lazy(() =>
  import('./new-review').then((module) => ({ default: module.ReverificationStatus })),
)
const CustomerForm = lazy(() =>
  import('@/components/customers/forms/form').then((module) => ({
    default: module.CustomerActionForm,
  })),
)

const LazyReverificationStatus = (props: ComponentProps<typeof ReverificationStatus>) => (
  <Boundary fallback={<span className="h-lh text-sm" />}>
    <ReverificationStatus {...props} />
  </Boundary>
)

/**
 * Remembers when a re-verification was requested, and which review the customer had then. Passes
 * every outcome on to `showOutcome`.
 */
function useRequestedReview(
  showOutcome: (outcome: Outcome | null) => void,
  review: CustomerRelatedReads['review'],
) {
  const [requestedReview, setRequestedReview] = useState<RequestedReview | null>(null)
  const reviewId = review.data && (review.data.identity_details?.review_id ?? null)
  const setOutcomeAndRequestedReview = (outcome: Outcome | null) => {
    if (outcome?.operation === 'customers.refresh_review' && !outcome.error)
      setRequestedReview({ at: Date.now(), reviewId })
    showOutcome(outcome)
  }
  return { requestedReview, setOutcome: setOutcomeAndRequestedReview }
}

function CustomerDetail(props: RecordContentProps<'customers.get'>) {
  const { answer, actions, knownAccount, correlationId } = props
  const customer = answer.data
  const context = usePageContext()
  const router = useRouter()
  const ownerAccount = useOwnerAccount('customers', customer.id, knownAccount, 'customer')
  const relatedReads = useCustomerRelatedReads(customer.id)
  const outcomeState = useOutcome({
    actions,
    operation: 'customers.decide',
    onChanged: props.onChanged,
  })
  const [openChoice, setOpen] = useState<CustomerActionName | null>(null)
  const recordChangeSources = useRecordChangeSources(answer.meta.read_at, actions)
  const getDisabledReason = useDisabledReasonGetter({
    ownerWhy: ownerAccount.why,
    live: outcomeState.live,
  })
  const { review } = relatedReads
  const { requestedReview, setOutcome } = useRequestedReview(outcomeState.setOutcome, review)
  const editHref = editRecordPath(context, 'customers', customer.id, {
    account: ownerAccount.account,
  })
  return (
    <RecordLayout
      label="Customer"
      one="customer"
      record={props}
      head={<CustomerHead {...props} owner={ownerAccount} />}
      foot={
        <ActionArea
          id={customer.id}
          claimed={customer.status === 'review' ? 'customers' : undefined}
          choices={listCustomerActions(customer, getDisabledReason, () => router.push(editHref))}
          state={{ ...outcomeState, setOutcome }}
          open={openChoice}
          onOpen={setOpen}
          now={getStatusWords('customer', customer.status).label}
          happened={recordChangeSources}
          after={
            requestedReview && (
              <LazyReverificationStatus
                key={requestedReview.at}
                id={customer.id}
                asked={requestedReview}
                onArrived={outcomeState.refresh}
              />
            )
          }
          form={(form) =>
            ownerAccount.of !== 'unknown' && (
              <CustomerForm
                {...form}
                customer={customer}
                account={ownerAccount.account}
                snapshot={answer.meta.snapshot}
                correlationId={correlationId}
                review={review}
              />
            )
          }
        />
      }
    >
      <RecordColumn>
        <CustomerVerdict customer={customer} review={review} />
        <CustomerEvidence review={relatedReads.review} />
      </RecordColumn>
      <RecordColumn rest>
        <CustomerBackgroundPanels customer={customer} owner={ownerAccount} facts={relatedReads} />
        <RecordTimeline history={[]} actions={actions} />
      </RecordColumn>
    </RecordLayout>
  )
}

export const CustomerPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="customers.get" nouns={customerNouns}>
    {(record) => <CustomerDetail key={record.id} {...record} />}
  </RecordPanel>
)

export const CustomerPrefetch = (props: PrefetchProps) => (
  <RecordPrefetch {...props} get="customers.get">
    {({ data }) => <CustomerReadsPrefetch id={data.id} knownAccount={props.knownAccount} />}
  </RecordPrefetch>
)

function CustomerReadsPrefetch({
  id,
  knownAccount,
}: {
  id: string
  knownAccount: string | null
}): null {
  useOwnerAccount('customers', id, knownAccount, 'customer')
  useCustomerRelatedReads(id)
  return null
}
