'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FieldGroup, SelectField, setField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { newCorrelationId } from '@/lib/client/keys'
import { linkingWarnings } from '@/lib/domain/linked-bank-rules'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { listPath, recordPath } from '@/lib/routes'
import { NumberFields, PurposeFields } from './linked-fields'
import { digitsOf, type LinkedValues, type NumberValues, newInput, newValues, numberFaults, secretFields, ticked } from './linked-values'
import { useLinkedOf } from './use-linked-of'

const operation = 'linked_bank_accounts.create'
const bare = (account: string | null) => account?.replace(/^acct_/, '') ?? ''

/** Links a bank account and goes to its page. What is typed for one account never turns up in the form of another. */
export function NewLinkedForm() {
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
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const closed = useClosed({})(operation, null)
  const { form, typed, send, pending, idempotencyKey } = useWriteForm<typeof operation, LinkedValues>({
    operation,
    target,
    account: null,
    correlationId,
    secret: secretFields,
    values: newValues(bare(desk.account)),
    schema: linkedBankAccountSchemas[operation].input,
    toInput: newInput,
    check: (values) => ({ ...numberFaults(values), ...(values.owner === '' ? { owner: 'choose whose it is' } : {}) }),
    fieldOf: (reference) => (reference === 'account_id' || reference === 'platform_id' ? 'owner' : reference),
    onOutcome: setOutcome,
    onDone: ({ data }) => router.push(recordPath(desk.environment, 'linked_bank_accounts', data.id, { account: desk.account })),
  })
  const others = useLinkedOf(typed.owner || undefined).fact
  const warnings = others.state === 'known' ? linkingWarnings(ticked(typed.purposes), others.value) : []
  const tail = digitsOf(typed.bank_account.account_number).slice(-4)
  return (
    <FormPage
      title="Link a bank account"
      meta={`in ${desk.environment.toUpperCase()}`}
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      onStartOver={onStartOver}
      send={tail.length === 4 ? `Link the bank account ••••${tail}` : 'Link the bank account'}
      pending={pending}
      closed={closed}
      idempotencyKey={idempotencyKey}
      onSend={() => void send()}
      onBack={() => router.push(listPath(desk.environment, 'linked_bank_accounts', { account: desk.account }))}
    >
      <OwnerField form={form} />
      {/* The form holds these fields and more; its type does not say so by itself. */}
      <NumberFields
        form={form as unknown as UseFormReturn<NumberValues>}
        typed={typed}
        note="It is verified before any money is settled with it. A number can be corrected only until then."
      />
      <PurposeFields form={form} warnings={warnings} />
      <MetadataField before={{}} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}

function OwnerField({ form }: { form: UseFormReturn<LinkedValues> }) {
  const { accounts } = useDesk()
  const choices = Object.fromEntries(accounts.map((account) => [bare(account.id), account.name]))
  return (
    <FieldGroup title="Whose it is">
      <SelectField
        form={form}
        name="owner"
        label="Belongs to"
        none="Choose…"
        choices={{ ...choices, platform: 'The platform itself' }}
        hint="It cannot be changed afterwards."
      />
    </FieldGroup>
  )
}
