'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FieldGroup, SelectField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { newCorrelationId } from '@/lib/client/keys'
import { bankDay } from '@/lib/dates'
import { representativeSchemas } from '@/lib/operations/representatives.schema'
import { listPath, recordPath } from '@/lib/routes'
import { OwnFields, PersonFields, RelationshipFields } from './representative-fields'
import { faultsOf, metadataInput, newValues, personInput, type RepresentativeValues } from './representative-values'
import { useRelationshipWarnings } from './use-account-people'

const operation = 'representatives.create'
const bare = (account: string | null) => account?.replace(/^acct_/, '') ?? ''

/** Adds a representative and goes to their page. What is typed for one account never turns up in the form of another. */
export function NewRepresentativeForm() {
  const { account } = useDesk()
  const [again, setAgain] = useState(0)
  const target = `new ${account ?? ''}`
  const startOver = () => {
    renewKey(operation, target)
    setAgain(again + 1)
  }
  return <Form key={`${target} ${again}`} target={target} onStartOver={startOver} />
}

function Form({ target, onStartOver }: { target: string; onStartOver: () => void }) {
  const desk = useDesk()
  const router = useRouter()
  const today = bankDay(useNow())
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const closed = useClosed({})(operation, null)
  const { form, typed, send, pending, idempotencyKey } = useWriteForm<typeof operation, RepresentativeValues>({
    operation,
    target,
    account: null,
    correlationId,
    secret: ['dob', 'ssn_last4'],
    values: newValues(bare(desk.account)),
    schema: representativeSchemas[operation].input,
    toInput: (values) => ({ account_id: values.account_id, ...personInput(values), ...metadataInput(values.metadata, {}) }),
    check: (values) => ({ ...faultsOf(values, today), ...(values.account_id === '' ? { account_id: 'choose the account' } : {}) }),
    onOutcome: setOutcome,
    onDone: ({ data }) => router.push(recordPath(desk.environment, 'representatives', data.id, { account: desk.account })),
  })
  const warnings = useRelationshipWarnings(typed)
  const name = `${typed.first_name} ${typed.last_name}`.trim()
  return (
    <FormPage
      title="New representative"
      meta={`in ${desk.environment.toUpperCase()}`}
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      onStartOver={onStartOver}
      send={name === '' ? 'Add the representative' : `Add ${name}`}
      pending={pending}
      closed={closed}
      idempotencyKey={idempotencyKey}
      onSend={() => void send()}
      onBack={() => router.push(listPath(desk.environment, 'representatives', { account: desk.account }))}
    >
      <FieldGroup title="For which account">
        <SelectField
          form={form}
          name="account_id"
          label="Account"
          none="Choose…"
          choices={Object.fromEntries(desk.accounts.map((account) => [bare(account.id), account.name]))}
          hint="It cannot be changed afterwards."
        />
      </FieldGroup>
      <PersonFields form={form} />
      <RelationshipFields form={form} typed={typed} warnings={warnings} />
      <OwnFields form={form} typed={typed} before={{}} />
    </FormPage>
  )
}
