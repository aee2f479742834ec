'use client'

import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, SelectField } from '@/components/kits/form/fields'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { toNewYorkDate } from '@/lib/dates'
import { representativeSchemas } from '@/lib/operations/representatives.schema'
import { listPath, recordPath } from '@/lib/routes'
import {
  createInitialRepresentativeValues,
  ExternalIdFields,
  findRepresentativeFaults,
  PersonFields,
  RelationshipFields,
  type RepresentativeValues,
  toMetadataInput,
  toRepresentativeInput,
  useRelationshipWarnings,
} from './fields'

const operation = 'representatives.create'
const removeAccountPrefix = (account: string | null) => account?.replace(/^acct_/, '') ?? ''

export function NewRepresentativeForm() {
  const context = usePageContext()
  const { environment, account } = context
  const choices = useAccountChoices()
  const today = toNewYorkDate(useNow())
  const { form, typed, frame } = useActionForm<typeof operation, RepresentativeValues>({
    operation,
    target: `new ${account ?? ''}`,
    account: null,
    secret: ['dob', 'ssn_last4'],
    values: createInitialRepresentativeValues(removeAccountPrefix(account)),
    schema: representativeSchemas[operation].input,
    toInput: (values) => ({
      account_id: values.account_id,
      ...toRepresentativeInput(values),
      ...toMetadataInput(values.metadata, {}),
    }),
    check: (values) => ({
      ...findRepresentativeFaults(values, today),
      ...(values.account_id === '' ? { account_id: 'Choose the account.' } : {}),
    }),
    back: listPath(context, 'representatives'),
    done: (id) => recordPath(context, 'representatives', id, { account }),
  })
  const warnings = useRelationshipWarnings(typed)
  const name = `${typed.first_name} ${typed.last_name}`.trim()
  return (
    <ActionForm
      {...frame}
      layout="page"
      title="New representative"
      meta={`in ${environment.toUpperCase()}`}
      send={name === '' ? 'Add the representative' : `Add ${name}`}
    >
      <FieldGroup title="For which account">
        <SelectField
          key={`${choices.reading}`}
          form={form}
          name="account_id"
          label="Account"
          none="Choose…"
          choices={Object.fromEntries(
            choices.accounts.map((each) => [removeAccountPrefix(each.id), each.name]),
          )}
          hint="This cannot be changed later."
        />
        <AccountChoicesStatus choices={choices} />
      </FieldGroup>
      <PersonFields form={form} />
      <RelationshipFields form={form} typed={typed} warnings={warnings} />
      <ExternalIdFields form={form} typed={typed} before={{}} />
    </ActionForm>
  )
}
