'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteCustomerForm } from '@/components/deletions/forms/delete-form'
import { DeletionRequestForm, OpenDeletionRequest } from '@/components/deletions/forms/request'
import { ActionArea } from '@/components/kits/action/action-area'
import type { ActionChoice } from '@/components/kits/action/action-choices'
import { type Outcome, useOutcome } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { useRefresh } from '@/components/kits/layout/use-refresh'
import { buttonVariants } from '@/components/ui/button-variants'
import { createCorrelationId } from '@/lib/client/drafts'
import { getAccountName } from '@/lib/client/page-context'
import { actionsQuery } from '@/lib/client/query/reads'
import type { ActionView } from '@/lib/operations/answer'
import type { Customer } from '@/lib/operations/customers.schema'
import type { DeletionImpactResult, DeletionView } from '@/lib/operations/deletion'
import type { WriteId } from '@/lib/operations/service-operations'
import { recordPath } from '@/lib/routes'
import { BlockerList, ImpactPanel } from './impact-panel'
import { CustomerDeletedNotice, CustomerNotFoundNotice } from './result-notices'

export type CustomerWithImpact = {
  customer: Customer
  snapshot: string | undefined
  impact: DeletionImpactResult
}

export type DeletionContentProps = {
  id: string
  /** Null if the customer belongs to the platform. */
  account: string | null
  /** Null if the customer does not exist. */
  found: CustomerWithImpact | null
  /**
   * The customer's open deletion request. If none is open, the newest request; null if there is
   * none.
   */
  request: DeletionView | null
  actions: readonly ActionView[]
}

function useCustomerActions(id: string, initial: readonly ActionView[]): readonly ActionView[] {
  const context = usePageContext()
  const initialData = { data: [...initial], meta: { request_id: '' }, replayed: false }
  const { data } = useQuery({ ...actionsQuery(context, `customers/${id}`), initialData })
  return data?.data ?? []
}

const createDeletionChoice = (disabledReason: string | null): ActionChoice => ({
  operation: 'customers.delete',
  opens: 'Permanently delete…',
  danger: true,
  disabledReason,
})

export function DeletionContent(props: DeletionContentProps) {
  const { id, account, found, request } = props
  const context = usePageContext()
  const { refresh: refreshPage, reading: isRefreshing } = useRefresh([
    { resource: 'customers', id },
    { resource: 'deletions' },
  ])
  const actions = useCustomerActions(id, props.actions)
  const outcomeState = useOutcome({
    actions,
    operation: 'customers.delete',
    onChanged: refreshPage,
  })
  const [openOperation, setOpen] = useState<WriteId | null>(null)
  const [correlationId] = useState(createCorrelationId)
  const getDisabledReason = useDisabledReasonGetter({ live: outcomeState.live })
  const disabledReason = getDisabledReason(
    'customers.delete',
    findDeletionDisabledReason(request, found),
  )
  const { outcome, live } = outcomeState
  const isDeleted = isDeletionApplied(outcome) || (!found && request?.state === 'executed')
  const customer = (!isDeleted && found?.customer) || null
  return (
    <article
      aria-label="Deletion of a customer"
      className="flex min-h-[calc(100dvh-3.25rem)] max-w-4xl flex-col"
    >
      <div className="grid flex-1 content-start gap-3 pb-4">
        <PageHeader
          title={customer ? <DeletionTitle name={customer.name} /> : 'Delete a customer'}
          meta={`for ${getAccountName(context, account)} in ${context.environment.toUpperCase()}`}
          actions={customer && <CustomerLink customer={customer} account={account} />}
        />
        {isDeleted ? (
          <CustomerDeletedNotice request={request} justNow={outcome !== null} />
        ) : (
          <DeletionSteps
            {...props}
            isSent={live !== undefined}
            reading={isRefreshing}
            onAgain={refreshPage}
          />
        )}
      </div>
      <div hidden={isDeleted} className="-mx-4 lg:mx-0">
        <ActionArea
          id={id}
          label="Deletion"
          choices={customer ? [createDeletionChoice(disabledReason)] : []}
          state={outcomeState}
          open={customer ? openOperation : null}
          onOpen={setOpen}
          now={customer ? `${customer.status}, updated above` : 'gone'}
          form={(form) =>
            customer && (
              <DeleteCustomerForm
                {...form}
                customer={customer}
                request={request}
                account={account}
                snapshot={found?.snapshot}
                correlationId={correlationId}
              />
            )
          }
        />
      </div>
    </article>
  )
}

function DeletionSteps(
  props: DeletionContentProps & {
    /** The deletion itself was sent, or awaits approval. */
    isSent: boolean
    reading: boolean
    onAgain: () => void
  },
) {
  const { id, account, found, request, isSent, reading, onAgain } = props
  const [isRequested, setIsRequested] = useState(false)
  const requestStepTitle = '1. Request'
  const handleRequested = () => {
    setIsRequested(true)
    onAgain()
  }
  if (!found) return <CustomerNotFoundNotice isRequested={request !== null} />
  return (
    <>
      {request?.state === 'requested' ? (
        <OpenDeletionRequest
          title={requestStepTitle}
          request={request}
          justNow={isRequested && !isSent}
          onChanged={onAgain}
        />
      ) : (
        <Panel title={requestStepTitle}>
          <DeletionRequestForm customerId={id} account={account} onRequested={handleRequested} />
        </Panel>
      )}
      <section aria-label="Impact" className="grid gap-3">
        <div className="flex items-center justify-between gap-3">
          <h2 className="font-semibold text-sm">2. Affected records and blockers</h2>
          <RefreshButton reading={reading} onRefresh={onAgain} />
        </div>
        <DeletionImpactView impact={isSent ? omitRunningDeletion(found.impact) : found.impact} />
      </section>
    </>
  )
}

function DeletionImpactView({ impact }: { impact: DeletionImpactResult }) {
  if (!impact.ok)
    return (
      <ErrorNotice
        what="The affected records could not be read"
        error={impact.error}
        requestId={impact.requestId}
      />
    )
  return (
    <>
      <BlockerList blockers={impact.data.blockers} />
      <ImpactPanel impact={impact.data} />
    </>
  )
}

function CustomerLink({ customer, account }: { customer: Customer; account: string | null }) {
  const context = usePageContext()
  return (
    <>
      <span className="flex items-center gap-1.5 text-ink-3 text-xs">
        Customer: <RecordStatusBadge kind="customer" status={customer.status} />
      </span>
      <Link
        href={recordPath(context, 'customers', customer.id, { account })}
        className={buttonVariants({ size: 'small' })}
      >
        Back to customer
      </Link>
    </>
  )
}

const DeletionTitle = ({ name }: { name: string }) => (
  <>
    Delete <ExternalText>{name}</ExternalText>
  </>
)

/**
 * Returns the first reason why the deletion button is disabled, or null. The server checks the
 * request and the blockers again.
 */
function findDeletionDisabledReason(
  request: DeletionView | null,
  foundCustomer: CustomerWithImpact | null,
): string | null {
  if (request?.state !== 'requested')
    return 'Request the deletion first: who requests it, and on which legal ground.'
  if (!foundCustomer?.impact.ok) return 'The affected records could not be read.'
  return foundCustomer.impact.data.blockers.length > 0
    ? 'The deletion is blocked, see above.'
    : null
}

const isDeletionApplied = (outcome: Outcome | null): boolean =>
  outcome?.operation === 'customers.delete' &&
  outcome.action?.state === 'applied' &&
  !outcome.error &&
  !outcome.action.decided

/** Removes the blocker of the deletion's own action, which the action bar already shows. */
const omitRunningDeletion = (impact: DeletionImpactResult): DeletionImpactResult =>
  impact.ok
    ? {
        ...impact,
        data: {
          ...impact.data,
          blockers: impact.data.blockers.filter(({ id }) => id !== 'deletion_running'),
        },
      }
    : impact
