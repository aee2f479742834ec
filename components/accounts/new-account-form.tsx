'use client'

import { FieldGroup, SelectField, setField, TextField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import { type AccountValues, accountValues, metadataFaults, newAccountInput } from '@/lib/domain/account-form'
import { accountSchemas } from '@/lib/operations/accounts.schema'
import { listPath, recordPath } from '@/lib/routes'
import { BusinessFields, DetailFields } from './account-fields'
import { OrganizationField } from './organization-field'

/** How much of the provider's own dashboard the account's people get (provider facts 2.1). */
const access = {
  standard: 'Standard: its people use the provider’s dashboard',
  managed: 'Managed: they do not, the platform acts for them',
}

const operation = 'accounts.create'

/** The form of a new account; `organization` is chosen beforehand where somebody comes from one. */
export function NewAccountForm({ organization }: { organization: string | null }) {
  const { environment, account } = useDesk()
  const { form, typed, page } = useFormPage<typeof operation, AccountValues>({
    operation,
    target: 'new',
    account: null,
    values: { ...accountValues(), organization_id: organization ?? '' },
    schema: accountSchemas[operation].input,
    toInput: newAccountInput,
    check: (values) => ({
      ...metadataFaults(values),
      ...(values.organization_id === '' ? { organization_id: 'choose the organization' } : {}),
    }),
    back: listPath(environment, 'accounts', { account }),
    done: (id) => recordPath(environment, 'accounts', id, { account }),
  })
  const name = typed.business_profile.name.trim()
  return (
    <FormPage
      {...page}
      title="New account"
      meta={
        <>
          in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>; a business that uses the service through this
          platform
        </>
      }
      send={name === '' ? 'Create the account' : `Create ${name}`}
    >
      <OrganizationField form={form} chosen={typed.organization_id} />
      <BusinessFields form={form}>
        <TextField
          form={form}
          name="business_profile.tax_id"
          label="Tax id"
          inputMode="numeric"
          hint="Nine digits; Paydesk shows the last four afterwards."
        />
      </BusinessFields>
      <DetailFields form={form} />
      <FieldGroup title="In this platform">
        <SelectField form={form} name="access_level" label="Access" choices={access} />
        <TextField form={form} name="external_id" label="External id" maxLength={100} hint="Your own reference." />
      </FieldGroup>
      <MetadataField before={{}} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}
