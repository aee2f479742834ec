'use client'

import { useRouter } from 'next/navigation'
import { FieldGroup, SelectField, setField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { accountName } from '@/lib/client/desk'
import { customerSchemas } from '@/lib/operations/customers.schema'
import { newPath, recordPath } from '@/lib/routes'
import { AddressFields, ContactFields, DeviceFields, IdentityFields } from './customer-fields'
import { newInput, newValues } from './customer-values'
import { useCustomerForm } from './use-customer-form'

const outcomes = {
  standard: 'The usual course',
  verified: 'Verified',
  review: 'In review, for a person to decide',
  rejected: 'Rejected',
}
const methods = {
  inline: 'At once, in the answer',
  background: 'In the background, a little later',
  skip: 'Not at all, where the account may leave it out',
}

/** Makes a customer in an account. What is typed stays until it was sent. */
export function NewCustomerForm() {
  const desk = useDesk()
  const router = useRouter()
  const { environment, account } = desk
  const sandbox = environment === 'sandbox'
  const { form, typed, send, pending, making, outcome, setOutcome, closed } = useCustomerForm({
    operation: 'customers.create',
    target: 'new',
    account,
    values: newValues(),
    schema: customerSchemas['customers.create'].input,
    toInput: (values) => newInput(values, sandbox),
    rule: account === null ? 'Choose the account first.' : null,
    onDone: ({ data }) => router.push(recordPath(environment, 'customers', data.id, { account })),
  })
  return (
    <FormPage
      title="New customer"
      meta={account ? `for ${accountName(desk, account)} in ${environment.toUpperCase()}` : `in ${environment.toUpperCase()}`}
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      send={typed.name?.trim() ? `Create ${typed.name.trim()}` : 'Create the customer'}
      pending={pending}
      closed={closed}
      making={making}
      onSend={() => void send()}
    >
      <FieldGroup title="What it is">
        <AccountField onChoose={(chosen) => router.replace(newPath(environment, 'customers', { account: chosen }))} />
        <SelectField form={form} name="type" label="Kind" choices={{ individual: 'A person', business: 'A business' }} />
      </FieldGroup>
      <ContactFields form={form} />
      <IdentityFields form={form} typed={typed} />
      <AddressFields form={form} note="Left empty, there is none, and the verification has less to compare." />
      <DeviceFields form={form} typed={typed} />
      <MetadataField before={{}} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
      <FieldGroup title="Verification">
        <SelectField
          form={form}
          name="config.processing_method"
          label="When it is verified"
          choices={methods}
          none="As the account is set"
        />
        {sandbox && (
          <SelectField form={form} name="config.sandbox_outcome" label="Outcome, in the sandbox only" choices={outcomes} none="Not set" />
        )}
      </FieldGroup>
    </FormPage>
  )
}

/** For which account. The choice is in the URL, so that the scope of the form is that of the page. */
function AccountField({ onChoose }: { onChoose: (account: string) => void }) {
  const { account, accounts } = useDesk()
  return (
    <Field label="Account">
      {(control) => (
        <Select {...control} value={account ?? ''} onChange={(event) => onChoose(event.target.value)}>
          <option value="" disabled>
            Choose…
          </option>
          {accounts.map(({ id, name, status }) => (
            <option key={id} value={id}>
              {status === 'active' ? name : `${name} (${status})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
