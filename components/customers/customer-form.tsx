'use client'

import type { ReactNode } from 'react'
import type { OpenForm } from '@/components/kits/action/action-area'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import { type CustomerDecision, customerChangeReasons, customerChecklists, customerReasons } from '@/lib/domain/customer-reasons'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'
import type { CustomerChoice } from './customer-choices'

type CustomerFormProps = OpenForm<CustomerChoice> & {
  customer: Customer
  account: string
  snapshot: string | undefined
  correlationId: string
}

const strong = 'font-semibold text-ink'

/** The confirm sheet of whatever is done to a customer in place. */
export function CustomerForm({ name, ...form }: CustomerFormProps) {
  if (name === 'verify') return <DecideForm {...form} decision="verified" />
  if (name === 'reject') return <DecideForm {...form} decision="rejected" />
  if (name === 'customers.refresh_review') return <RefreshForm {...form} />
  return <StatusForm {...form} status={name === 'reactivate' ? 'verified' : 'inactive'} />
}

type Form = Omit<CustomerFormProps, 'name'>

/** "Ada Lovelace for Acme in SANDBOX". */
function Whom({ customer, account, children }: Pick<Form, 'customer' | 'account'> & { children?: ReactNode }) {
  const desk = useDesk()
  return (
    <>
      <strong className={strong}>
        <bdi>{customer.name}</bdi>
      </strong>{' '}
      for <strong className={strong}>{accountName(desk, account)}</strong> in{' '}
      <strong className={strong}>{desk.environment.toUpperCase()}</strong>
      {children}
    </>
  )
}

function DecideForm({ decision, ...form }: Form & { decision: CustomerDecision }) {
  const { customer } = form
  const rejects = decision === 'rejected'
  return (
    <ConfirmForm
      {...form}
      operation="customers.decide"
      id={customer.id}
      sentence={
        <p>
          {rejects ? 'Reject' : 'Verify'} <Whom {...form} />.{' '}
          <span className="text-ink-3">
            {rejects
              ? 'No bank account can be connected any more, and payments fail.'
              : 'Bank accounts can be connected and payments made from now on.'}{' '}
            A decision closes the review.
          </span>
        </p>
      }
      send={`${rejects ? 'Reject' : 'Verify'} ${customer.name}`}
      danger={rejects}
      reasons={customerReasons[decision]}
      names={[customer.name]}
      cautions={customerChecklists[decision]}
      schema={customerSchemas['customers.decide'].input}
      values={{}}
      toInput={() => ({ status: decision })}
    />
  )
}

const RefreshForm = (form: Form) => (
  <ConfirmForm
    {...form}
    operation="customers.refresh_review"
    id={form.customer.id}
    sentence={
      <p>
        Verify <Whom {...form} /> anew.{' '}
        <span className="text-ink-3">
          It runs in the background and may change the state, even one that a person decided. The evidence of the last one is replaced.
        </span>
      </p>
    }
    send="Verify anew"
    schema={customerSchemas['customers.refresh_review'].input}
    values={{}}
    toInput={() => ({})}
  />
)

function StatusForm({ status, ...form }: Form & { status: 'verified' | 'inactive' }) {
  const { customer } = form
  const off = status === 'inactive'
  return (
    <ConfirmForm
      {...form}
      operation="customers.update"
      id={customer.id}
      sentence={
        <p>
          Switch {off ? 'off' : 'on'} <Whom {...form} />.{' '}
          <span className="text-ink-3">
            {off
              ? 'Nothing new can be made for the customer until somebody switches it on again.'
              : 'The customer counts as verified again, without a new verification.'}{' '}
            Everything else on record stays as it is.
          </span>
        </p>
      }
      send={`${off ? 'Deactivate' : 'Reactivate'} ${customer.name}`}
      danger={off}
      reasons={customerChangeReasons[off ? 'deactivate' : 'reactivate']}
      names={[customer.name]}
      schema={customerSchemas['customers.update'].input}
      values={{}}
      toInput={() => ({ name: customer.name, status })}
    />
  )
}
