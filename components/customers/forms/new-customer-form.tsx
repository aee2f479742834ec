'use client'

import { useRouter } from 'next/navigation'
import { AccountSelect } from '@/components/kits/form/account-select'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, SelectField, setFieldValue } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { belongsToPlatform, getAccountName } from '@/lib/client/page-context'
import { listMetadataFaults } from '@/lib/domain/metadata-rules'
import { customerSchemas } from '@/lib/operations/customers.schema'
import { listPath, newRecordPath, recordPath } from '@/lib/routes'
import {
  type CustomerValues,
  createInitialCustomerValues,
  secretFieldNames,
  toCreateInput,
} from './customer-values'
import { AddressFields, ContactFields, DeviceFields, IdentityFields } from './fields'

const sandboxOutcomeLabels = {
  standard: 'Standard',
  verified: 'Verified',
  review: 'In review',
  rejected: 'Rejected',
}
const processingMethodLabels = {
  inline: 'Immediately, in the response',
  background: 'Later, in the background',
  skip: 'Skip, if the account allows it',
}

export function NewCustomerForm() {
  const context = usePageContext()
  const router = useRouter()
  const { environment } = context
  const isOfPlatform = belongsToPlatform(context, 'customers')
  const account = isOfPlatform ? null : context.account
  const isSandbox = environment === 'sandbox'
  const { form, typed, frame } = useActionForm<'customers.create', CustomerValues>({
    operation: 'customers.create',
    target: 'new',
    account,
    values: createInitialCustomerValues(),
    schema: customerSchemas['customers.create'].input,
    toInput: (values) => toCreateInput(values, isSandbox),
    disabledReason: account === null && !isOfPlatform ? 'Choose the account first.' : null,
    secret: secretFieldNames,
    check: listMetadataFaults,
    back: listPath(context, 'customers', { account }),
    done: (id) => recordPath(context, 'customers', id, { account }),
  })
  return (
    <ActionForm
      {...frame}
      layout="page"
      title="New customer"
      meta={
        account || isOfPlatform
          ? `for ${getAccountName(context, account)} in ${environment.toUpperCase()}`
          : `in ${environment.toUpperCase()}`
      }
      send="Create customer"
    >
      <FieldGroup title={isOfPlatform ? 'Type' : 'Account and type'}>
        {!isOfPlatform && (
          <AccountSelect
            onChoose={(chosen) =>
              router.replace(newRecordPath(context, 'customers', { account: chosen }))
            }
          />
        )}
        <SelectField
          form={form}
          name="type"
          label="Type"
          choices={{ individual: 'Individual', business: 'Business' }}
        />
      </FieldGroup>
      <ContactFields form={form} />
      <IdentityFields form={form} typed={typed} />
      <AddressFields
        form={form}
        note="Optional. The verification also checks the address, if there is one."
      />
      <DeviceFields form={form} typed={typed} />
      <MetadataField
        before={{}}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
      <FieldGroup title="Verification">
        <SelectField
          form={form}
          name="config.processing_method"
          label="Verification timing"
          choices={processingMethodLabels}
          none="Account default"
        />
        {isSandbox && (
          <SelectField
            form={form}
            name="config.sandbox_outcome"
            label="Outcome, sandbox only"
            choices={sandboxOutcomeLabels}
            none="Not set"
          />
        )}
      </FieldGroup>
    </ActionForm>
  )
}
