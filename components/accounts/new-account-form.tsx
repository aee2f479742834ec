'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FieldGroup, SelectField, setField, TextField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { newCorrelationId } from '@/lib/client/keys'
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

const target = 'new'

/** The form of a new account; `organization` is chosen beforehand where somebody comes from one. It starts over around a new key. */
export function NewAccountForm({ organization }: { organization: string | null }) {
  const [round, setRound] = useState(0)
  const startOver = () => {
    renewKey('accounts.create', target)
    setRound(round + 1)
  }
  return <Form key={round} organization={organization} onStartOver={startOver} />
}

function Form({ organization, onStartOver }: { organization: string | null; onStartOver: () => void }) {
  const desk = useDesk()
  const router = useRouter()
  const closed = useClosed({})('accounts.create', null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const write = useWriteForm<'accounts.create', AccountValues>({
    operation: 'accounts.create',
    target,
    account: null,
    correlationId,
    values: { ...accountValues(), organization_id: organization ?? '' },
    schema: accountSchemas['accounts.create'].input,
    toInput: newAccountInput,
    check: metadataFaults,
    onOutcome: setOutcome,
    onDone: ({ data }) => router.push(recordPath(desk.environment, 'accounts', data.id, { account: desk.account })),
  })
  const { form, typed } = write
  const name = typed.business_profile.name.trim()
  return (
    <FormPage
      title="New account"
      meta={
        <>
          in <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>; a business that uses the service through this
          platform
        </>
      }
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      onStartOver={onStartOver}
      send={name === '' ? 'Create the account' : `Create ${name}`}
      pending={write.pending}
      closed={closed}
      idempotencyKey={write.idempotencyKey}
      onSend={() => void write.send()}
      onBack={() => router.push(listPath(desk.environment, 'accounts', { account: desk.account }))}
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
