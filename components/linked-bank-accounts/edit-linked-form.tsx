'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { setField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useSeen } from '@/components/kits/form/use-seen'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { StandingNotice } from '@/components/kits/record/standing-notice'
import { nameOf, whyNotLinked } from '@/lib/domain/linked-bank-rules'
import { metadataOf } from '@/lib/domain/metadata-rules'
import { linkedBankAccountSchemas } from '@/lib/operations/linked-bank-accounts.schema'
import { recordPath } from '@/lib/routes'
import { NumberFields } from './linked-fields'
import { bankInput, type NumberValues, numberFaults, secretFields, valuesOf } from './linked-values'

const operation = 'linked_bank_accounts.update'

type EditProps = RecordProps<'linked_bank_accounts.get'>

/** Corrects a linked bank account and goes back to its page. */
export function EditLinkedForm(props: EditProps) {
  const [again, setAgain] = useState(0)
  const startOver = () => {
    renewKey(operation, props.id)
    setAgain(again + 1)
  }
  return <Form key={again} {...props} onStartOver={startOver} />
}

function Form({ onStartOver, ...props }: EditProps & { onStartOver: () => void }) {
  const { id, answer, actions, correlationId, onRead } = props
  const desk = useDesk()
  const router = useRouter()
  const { seen, notice } = useSeen(answer, 'linked bank account')
  const linked = seen.data
  const account = linked.account_id ? `acct_${linked.account_id}` : null
  const state = useOutcome({ actions, stale: ['linked_bank_accounts'] })
  const closed = useClosed({ live: state.live })(operation, whyNotLinked('update', answer.data))
  const back = recordPath(desk.environment, 'linked_bank_accounts', id, { account: desk.account })
  const tell = (outcome: Outcome | null) => {
    state.setOutcome(outcome)
    if (outcome?.error?.code === 'changed') onRead()
  }
  const { form, typed, send, pending, idempotencyKey } = useWriteForm<typeof operation, NumberValues>({
    operation,
    target: id,
    account: null,
    correlationId,
    snapshot: seen.meta.snapshot,
    secret: secretFields,
    values: valuesOf(linked),
    schema: linkedBankAccountSchemas[operation].input,
    toInput: (values) => ({ id, bank_account: bankInput(values), metadata: metadataOf(values.metadata) }),
    check: numberFaults,
    onOutcome: tell,
    onDone: () => router.push(back),
  })
  return (
    <FormPage
      title={
        <>
          Correct <bdi>{nameOf(linked)}</bdi>
        </>
      }
      meta={account === null ? 'of the platform itself' : <OwnerWords owner={{ account, why: null }} />}
      outcome={state.outcome}
      onDismiss={() => state.setOutcome(null)}
      onSignedIn={state.signedIn}
      onStartOver={onStartOver}
      send="Save the correction"
      pending={pending}
      closed={closed}
      idempotencyKey={idempotencyKey}
      onSend={() => void send()}
      onBack={() => router.push(back)}
    >
      <StandingNotice kind="linked_bank_account" status={answer.data.status} detail={answer.data.status_detail} />
      {notice}
      <NumberFields
        form={form}
        typed={typed}
        note="Saving replaces the whole bank account, and its numbers are masked here. A mask is never sent in their place, so type both again, even if only the holder is corrected. What it serves stays as it is."
      />
      <MetadataField before={linked.metadata} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}
