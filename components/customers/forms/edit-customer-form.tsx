'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { ActionForm } from '@/components/kits/form/action-form'
import { setFieldValue } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { UnreadableFields } from '@/components/kits/unreadable/unreadable-fields'
import { Notice } from '@/components/ui/notice'
import { getAccountName } from '@/lib/client/page-context'
import { actionsQuery } from '@/lib/client/query/reads'
import { listMetadataFaults } from '@/lib/domain/metadata-rules'
import { getStatusWords } from '@/lib/domain/status'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { customerChangeReasons } from '@/lib/features/customers/decisions'
import { whyNotCustomerAction } from '@/lib/features/customers/rules'
import { getUnreadableFields } from '@/lib/operations/answer'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'
import { recordPath } from '@/lib/routes'
import {
  type CustomerValues,
  secretFieldNames,
  toCustomerValues,
  toUpdateInput,
} from './customer-values'
import { AddressFields, ContactFields, DeviceFields, IdentityFields } from './fields'

/** `readAt` (ISO) is when the customer was read. */
type EditCustomerProps = {
  customer: Customer
  /** Null if the customer belongs to the platform. */
  account: string | null
  snapshot: string | undefined
  readAt: string | undefined
}

/**
 * The form that edits a customer. A masked value stays unchanged unless it is typed again. All
 * metadata is sent, even if unchanged, because an update replaces all stored metadata.
 */
export function EditCustomerForm({ customer, account, snapshot, readAt }: EditCustomerProps) {
  const context = usePageContext()
  const router = useRouter()
  const path = recordPath(context, 'customers', customer.id, { account: context.account })
  const actions = useQuery(actionsQuery(context, `customers/${customer.id}`)).data?.data ?? []
  const { form, typed, frame } = useActionForm<'customers.update', CustomerValues>({
    operation: 'customers.update',
    target: `${customer.id}/edit`,
    account,
    snapshot,
    values: toCustomerValues(customer),
    schema: customerSchemas['customers.update'].input,
    toInput: (values) => toUpdateInput(values, customer),
    disabledReason:
      whyFieldsUnreadable('customers.update', customer) ?? whyNotCustomerAction('edit', customer),
    reasons: customerChangeReasons.edit,
    names: [customer.name],
    actions,
    secret: secretFieldNames,
    check: listMetadataFaults,
    back: path,
    done: () => path,
    edited: { one: 'customer', readAt },
    onMoved: () => router.refresh(),
  })
  const canTriggerReverification = ['verified', 'review'].includes(customer.status)
  return (
    <ActionForm
      {...frame}
      layout="page"
      title={
        <>
          Edit <ExternalText>{customer.name}</ExternalText>
        </>
      }
      meta={`for ${getAccountName(context, account)} in ${context.environment.toUpperCase()}, ${getStatusWords('customer', customer.status).label.toLowerCase()}`}
      send="Save the customer"
    >
      <UnreadableFields parts={getUnreadableFields(customer)} />
      {canTriggerReverification && (
        <Notice title="Changing the name, contact, address or identity starts a re-verification">
          <p>
            The re-verification runs in the background and may change the status of the customer.
          </p>
        </Notice>
      )}
      <ContactFields form={form} masked={{ email: customer.email, phone: customer.phone }} />
      <IdentityFields form={form} typed={typed} editing />
      <AddressFields form={form} note={formatCurrentAddress(customer)} />
      <DeviceFields form={form} typed={typed} editing />
      <MetadataField
        before={customer.metadata}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
    </ActionForm>
  )
}

function formatCurrentAddress({ address }: Customer): string {
  const cityAndState = [address?.city, address?.state].filter(Boolean).join(', ')
  return cityAndState === ''
    ? 'No address on file.'
    : `Currently in ${cityAndState}. Leave blank to keep the address. A new address replaces the old one.`
}
