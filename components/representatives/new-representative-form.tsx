'use client'

import { FieldGroup, SelectField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { bankDay } from '@/lib/dates'
import { representativeSchemas } from '@/lib/operations/representatives.schema'
import { listPath, recordPath } from '@/lib/routes'
import { OwnFields, PersonFields, RelationshipFields } from './representative-fields'
import { faultsOf, metadataInput, newValues, personInput, type RepresentativeValues } from './representative-values'
import { useRelationshipWarnings } from './use-account-people'

const operation = 'representatives.create'
const bare = (account: string | null) => account?.replace(/^acct_/, '') ?? ''

/** Adds a representative and goes to their page. */
export function NewRepresentativeForm() {
  const { environment, account, accounts } = useDesk()
  const today = bankDay(useNow())
  const { form, typed, page } = useFormPage<typeof operation, RepresentativeValues>({
    operation,
    target: `new ${account ?? ''}`,
    account: null,
    secret: ['dob', 'ssn_last4'],
    values: newValues(bare(account)),
    schema: representativeSchemas[operation].input,
    toInput: (values) => ({ account_id: values.account_id, ...personInput(values), ...metadataInput(values.metadata, {}) }),
    check: (values) => ({ ...faultsOf(values, today), ...(values.account_id === '' ? { account_id: 'choose the account' } : {}) }),
    back: listPath(environment, 'representatives', { account }),
    done: (id) => recordPath(environment, 'representatives', id, { account }),
  })
  const warnings = useRelationshipWarnings(typed)
  const name = `${typed.first_name} ${typed.last_name}`.trim()
  return (
    <FormPage
      {...page}
      title="New representative"
      meta={`in ${environment.toUpperCase()}`}
      send={name === '' ? 'Add the representative' : `Add ${name}`}
    >
      <FieldGroup title="For which account">
        <SelectField
          form={form}
          name="account_id"
          label="Account"
          none="Choose…"
          choices={Object.fromEntries(accounts.map((each) => [bare(each.id), each.name]))}
          hint="It cannot be changed afterwards."
        />
      </FieldGroup>
      <PersonFields form={form} />
      <RelationshipFields form={form} typed={typed} warnings={warnings} />
      <OwnFields form={form} typed={typed} before={{}} />
    </FormPage>
  )
}
