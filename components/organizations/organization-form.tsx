'use client'

import { FieldGroup, setField, TextField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useFormPage } from '@/components/kits/form/use-form-page'
import { useDesk } from '@/components/kits/layout/desk-context'
import { type MetadataLine, metadataFault, metadataOf } from '@/lib/domain/metadata-rules'
import { organizationSchemas } from '@/lib/operations/organizations.schema'
import { listPath, recordPath } from '@/lib/routes'

type Values = { name: string; external_id: string; metadata: MetadataLine[] }

const empty: Values = { name: '', external_id: '', metadata: [] }
const operation = 'organizations.create'

/** What is sent: fields that were left empty are left out. */
const inputOf = ({ name, external_id, metadata }: Values) => ({
  name,
  ...(external_id.trim() === '' ? {} : { external_id }),
  ...(metadata.length === 0 ? {} : { metadata: metadataOf(metadata) }),
})

const faultsOf = ({ metadata }: Values): Record<string, string> =>
  metadata.some((line) => metadataFault(line, metadata)) ? { metadata: 'mend the lines that are marked' } : {}

/** Makes an organization and goes to its page. */
export function OrganizationForm() {
  const { environment, account } = useDesk()
  const { form, typed, page } = useFormPage<typeof operation, Values>({
    operation,
    target: 'new',
    account: null,
    values: empty,
    schema: organizationSchemas[operation].input,
    toInput: inputOf,
    check: faultsOf,
    back: listPath(environment, 'organizations', { account }),
    done: (id) => recordPath(environment, 'organizations', id),
  })
  return (
    <FormPage
      {...page}
      title="New organization"
      meta={`of the whole platform in ${environment.toUpperCase()}`}
      send={typed.name.trim() === '' ? 'Create the organization' : `Create ${typed.name.trim()}`}
    >
      <FieldGroup
        title="Organization"
        note="A group of accounts. Look twice: the service can neither change nor remove an organization once it is made."
      >
        <TextField form={form} name="name" label="Name" maxLength={200} />
        <TextField
          form={form}
          name="external_id"
          label="External id"
          hint="Optional. Your own reference."
          maxLength={100}
          spellCheck={false}
        />
      </FieldGroup>
      <MetadataField before={{}} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}
