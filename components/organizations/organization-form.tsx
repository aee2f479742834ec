'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FieldGroup, setField, TextField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { newCorrelationId } from '@/lib/client/keys'
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
  const [again, setAgain] = useState(0)
  const startOver = () => {
    renewKey(operation, 'new')
    setAgain(again + 1)
  }
  return <Form key={again} onStartOver={startOver} />
}

function Form({ onStartOver }: { onStartOver: () => void }) {
  const desk = useDesk()
  const router = useRouter()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const closed = useClosed({})(operation, null)
  const { form, typed, send, pending, idempotencyKey } = useWriteForm<typeof operation, Values>({
    operation,
    target: 'new',
    account: null,
    correlationId,
    values: empty,
    schema: organizationSchemas[operation].input,
    toInput: inputOf,
    check: faultsOf,
    onOutcome: setOutcome,
    onDone: (answer) => router.push(recordPath(desk.environment, 'organizations', answer.data.id)),
  })
  return (
    <FormPage
      title="New organization"
      meta={`of the whole platform in ${desk.environment.toUpperCase()}`}
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      onStartOver={onStartOver}
      send={typed.name.trim() === '' ? 'Create the organization' : `Create ${typed.name.trim()}`}
      pending={pending}
      closed={closed}
      idempotencyKey={idempotencyKey}
      onSend={() => void send()}
      onBack={() => router.push(listPath(desk.environment, 'organizations', { account: desk.account }))}
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
