'use client'

import type { ReactNode } from 'react'
import type { OpenedFormProps } from '@/components/kits/action/action-area'
import { ActionForm } from '@/components/kits/form/action-form'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { getAccountName } from '@/lib/client/page-context'
import { isLoading, type ReadResult } from '@/lib/domain/check'
import {
  type CustomerDecision,
  customerChangeReasons,
  listCustomerReasons,
  listCustomerWarnings,
} from '@/lib/features/customers/decisions'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'
import type { Output } from '@/lib/operations/registry'
import type { CustomerActionName } from './choices'

type NamedActionFormProps = OpenedFormProps<CustomerActionName> & {
  customer: Customer
  /** Null if the customer belongs to the platform. */
  account: string | null
  snapshot: string | undefined
  correlationId: string
  review: ReadResult<Output<'customers.review'>>
}

const strongClasses = 'font-semibold text-ink'

export function CustomerActionForm({ name, review, ...form }: NamedActionFormProps) {
  if (name === 'verify')
    return <CustomerDecisionForm {...form} review={review} decision="verified" />
  if (name === 'reject')
    return <CustomerDecisionForm {...form} review={review} decision="rejected" />
  if (name === 'customers.refresh_review') return <RefreshReviewForm {...form} />
  return <CustomerStatusForm {...form} status={name === 'reactivate' ? 'verified' : 'inactive'} />
}

type CustomerActionFormProps = Omit<NamedActionFormProps, 'name' | 'review'>

/** Renders customer, account and environment, for example "Ada Lovelace for Acme in SANDBOX". */
function CustomerAndAccountText({
  customer,
  account,
  children,
}: Pick<CustomerActionFormProps, 'customer' | 'account'> & { children?: ReactNode }) {
  const context = usePageContext()
  return (
    <>
      <strong className={strongClasses}>
        <ExternalText>{customer.name}</ExternalText>
      </strong>{' '}
      for <strong className={strongClasses}>{getAccountName(context, account)}</strong> in{' '}
      <strong className={strongClasses}>{context.environment.toUpperCase()}</strong>
      {children}
    </>
  )
}

function CustomerDecisionForm({
  decision,
  review,
  ...form
}: CustomerActionFormProps & {
  decision: CustomerDecision
  review: ReadResult<Output<'customers.review'>>
}) {
  const { customer } = form
  const isRejection = decision === 'rejected'
  const { frame } = useActionForm({
    ...form,
    operation: 'customers.decide',
    id: customer.id,
    reasons: listCustomerReasons(decision, review),
    names: [customer.name],
    warnings: listCustomerWarnings(decision, review),
    disabledReason:
      form.disabledReason ??
      (decision === 'verified' && isLoading(review) ? 'The evidence is still loading.' : null),
    schema: customerSchemas['customers.decide'].input,
    values: {},
    toInput: () => ({ status: decision }),
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <p>
          {isRejection ? 'Reject' : 'Mark as verified:'} <CustomerAndAccountText {...form} />.{' '}
          <span className="text-ink-3">
            {isRejection
              ? 'No bank account can be connected, and payments fail.'
              : 'Bank accounts can be connected and payments created from now on.'}{' '}
            The decision closes the review.
          </span>
        </p>
      }
      send={isRejection ? `Reject ${customer.name}` : `Mark ${customer.name} as verified`}
      danger={isRejection}
    />
  )
}

function RefreshReviewForm(form: CustomerActionFormProps) {
  const { frame } = useActionForm({
    ...form,
    operation: 'customers.refresh_review',
    id: form.customer.id,
    schema: customerSchemas['customers.refresh_review'].input,
    values: {},
    toInput: () => ({}),
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <p>
          Re-verify <CustomerAndAccountText {...form} />.{' '}
          <span className="text-ink-3">
            The verification runs in the background, may change the status (even one set by a
            reviewer) and replaces the evidence.
          </span>
        </p>
      }
      send="Re-verify"
    />
  )
}

function CustomerStatusForm({
  status,
  ...form
}: CustomerActionFormProps & { status: 'verified' | 'inactive' }) {
  const { customer } = form
  const isDeactivation = status === 'inactive'
  const { frame } = useActionForm({
    ...form,
    operation: 'customers.update',
    id: customer.id,
    reasons: customerChangeReasons[isDeactivation ? 'deactivate' : 'reactivate'],
    names: [customer.name],
    schema: customerSchemas['customers.update'].input,
    values: {},
    toInput: () => ({ name: customer.name, status }),
  })
  return (
    <ActionForm
      {...frame}
      layout="panel"
      sentence={
        <p>
          {isDeactivation ? 'Deactivate' : 'Reactivate'} <CustomerAndAccountText {...form} />.{' '}
          <span className="text-ink-3">
            {isDeactivation
              ? 'No bank account or payment can be created for the customer until someone reactivates the customer.'
              : 'The customer gets the status Verified, without a new verification.'}{' '}
            Everything else on record stays unchanged.
          </span>
        </p>
      }
      send={`${isDeactivation ? 'Deactivate' : 'Reactivate'} ${customer.name}`}
      danger={isDeactivation}
    />
  )
}
