'use client'

import { ActionForm } from '@/components/kits/form/action-form'
import { FieldGroup, setFieldValue, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { listMetadataFaults, type MetadataLine, toMetadata } from '@/lib/domain/metadata-rules'
import { organizationSchemas } from '@/lib/operations/organizations.schema'
import { listPath, recordPath } from '@/lib/routes'

type OrganizationValues = { name: string; external_id: string; metadata: MetadataLine[] }

const emptyValues: OrganizationValues = { name: '', external_id: '', metadata: [] }
const operation = 'organizations.create'

const toCreateInput = ({ name, external_id, metadata }: OrganizationValues) => ({
  name,
  ...(external_id.trim() === '' ? {} : { external_id }),
  ...(metadata.length === 0 ? {} : { metadata: toMetadata(metadata) }),
})

export function OrganizationForm() {
  const context = usePageContext()
  const { environment } = context
  const { form, typed, frame } = useActionForm<typeof operation, OrganizationValues>({
    operation,
    target: 'new',
    account: null,
    values: emptyValues,
    schema: organizationSchemas[operation].input,
    toInput: toCreateInput,
    check: listMetadataFaults,
    back: listPath(context, 'organizations'),
    done: (id) => recordPath(context, 'organizations', id),
  })
  return (
    <ActionForm
      {...frame}
      layout="page"
      title="New organization"
      meta={`on the whole platform, in ${environment.toUpperCase()}`}
      send="Create organization"
    >
      <FieldGroup
        title="Organization"
        note="A group of accounts. Check carefully: an organization cannot be changed or removed after it is created."
      >
        <TextField form={form} name="name" label="Name" maxLength={200} />
        <TextField
          form={form}
          name="external_id"
          label="External ID"
          hint="Optional. Your own reference."
          maxLength={100}
          spellCheck={false}
        />
      </FieldGroup>
      <MetadataField
        before={{}}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
    </ActionForm>
  )
}
