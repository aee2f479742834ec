'use client'

import { useRouter } from 'next/navigation'
import { useChangedMeanwhile } from '@/components/kits/form/changed-meanwhile'
import { setField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Notice } from '@/components/ui/notice'
import { accountName } from '@/lib/client/desk'
import { customerChangeReasons } from '@/lib/domain/customer-reasons'
import { whyNotCustomer } from '@/lib/domain/customer-rules'
import { statusWords } from '@/lib/domain/status'
import { type Customer, customerSchemas } from '@/lib/operations/customers.schema'
import { recordPath } from '@/lib/routes'
import { AddressFields, ContactFields, DeviceFields, IdentityFields } from './customer-fields'
import { changedInput, valuesOf } from './customer-values'
import { useCustomerForm } from './use-customer-form'

export type EditCustomerProps = { customer: Customer; account: string; snapshot: string | undefined }

/** Changes a customer. What is masked stays unless it is typed anew; the metadata is sent as a whole and says so. */
export function EditCustomerForm({ customer, account, snapshot }: EditCustomerProps) {
  const desk = useDesk()
  const router = useRouter()
  const path = recordPath(desk.environment, 'customers', customer.id, { account: desk.account })
  const { form, typed, send, pending, making, reason, outcome, setOutcome, closed } = useCustomerForm({
    operation: 'customers.update',
    target: `${customer.id}/edit`,
    account,
    snapshot,
    values: valuesOf(customer),
    schema: customerSchemas['customers.update'].input,
    toInput: (values) => changedInput(values, customer),
    rule: whyNotCustomer('edit', customer),
    reasons: customerChangeReasons.edit,
    names: [customer.name],
    onDone: () => router.push(path),
    onChanged: () => router.refresh(),
  })
  const changed = useChangedMeanwhile({ values: valuesOf(customer), snapshot }, { form, typed }, 'customer')
  const watched = ['verified', 'review'].includes(customer.status)
  return (
    <FormPage
      title={
        <>
          Edit <bdi>{customer.name}</bdi>
        </>
      }
      meta={`for ${accountName(desk, account)} in ${desk.environment.toUpperCase()}, ${statusWords('customer', customer.status).label.toLowerCase()}`}
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      send="Save the customer"
      pending={pending}
      closed={closed}
      making={making}
      reason={reason}
      onSend={() => void send()}
      onBack={() => router.push(path)}
    >
      {changed}
      {watched && (
        <Notice title="A changed name, contact, address or identity is verified anew">
          <p>The verification runs in the background and may change the state of the customer.</p>
        </Notice>
      )}
      <ContactFields form={form} masked={{ email: customer.email, phone: customer.phone }} />
      <IdentityFields form={form} typed={typed} editing />
      <AddressFields form={form} note={`${nowText(customer)} Left empty it stays; filled, it replaces the whole address.`} />
      <DeviceFields form={form} typed={typed} editing />
      <MetadataField before={customer.metadata} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}

function nowText({ address }: Customer): string {
  const place = [address?.city, address?.state].filter(Boolean).join(', ')
  return place === '' ? 'There is none now.' : `Now in ${place}.`
}
