'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import type { Path } from 'react-hook-form'
import type { Outcome } from '@/components/kits/action/outcome'
import { useClosed } from '@/components/kits/action/use-closed'
import { useWriteForm } from '@/components/kits/action/use-write-form'
import { renewKey } from '@/components/kits/action/write-draft'
import { FieldGroup, setField, TextField } from '@/components/kits/form/fields'
import { FormPage } from '@/components/kits/form/form-page'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { newCorrelationId } from '@/lib/client/keys'
import { type AccountValues, accountUpdateInput, accountValues, metadataFaults, rebase } from '@/lib/domain/account-form'
import { type Account, accountSchemas } from '@/lib/operations/accounts.schema'
import { recordPath } from '@/lib/routes'
import { BusinessFields, DetailFields } from './account-fields'
import { ChangedMeanwhile } from './changed-meanwhile'
import { TaxIdAgain } from './tax-id-again'

type EditAccountFormProps = {
  account: Account
  /** The hash of the account as it was read; what is sent is refused when it is another by then. */
  snapshot: string | undefined
  onChanged: () => void
}

/** The form that changes an account. It starts over around a new key. */
export function EditAccountForm(props: EditAccountFormProps) {
  const [round, setRound] = useState(0)
  const startOver = () => {
    renewKey('accounts.update', props.account.id)
    setRound(round + 1)
  }
  return <Form key={round} {...props} onStartOver={startOver} />
}

function Form({ account, snapshot, onChanged, onStartOver }: EditAccountFormProps & { onStartOver: () => void }) {
  const desk = useDesk()
  const router = useRouter()
  const closed = useClosed({})('accounts.update', null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const back = recordPath(desk.environment, 'accounts', account.id, { account: desk.account })
  const write = useWriteForm<'accounts.update', AccountValues>({
    operation: 'accounts.update',
    target: account.id,
    account: null,
    correlationId,
    snapshot,
    values: accountValues(account),
    schema: accountSchemas['accounts.update'].input,
    toInput: (values) => accountUpdateInput(account.id, values),
    check: metadataFaults,
    onOutcome: (next) => {
      setOutcome(next)
      if (next?.error?.code === 'changed') onChanged()
    },
    onDone: () => router.push(back),
  })
  const { form, typed } = write
  const conflicts = useRebase(account, write)
  const name = account.business_profile?.name ?? 'the account'
  return (
    <FormPage
      title={
        <>
          Edit <bdi>{name}</bdi>
        </>
      }
      meta={
        <>
          in <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>; saving replaces the whole profile
        </>
      }
      outcome={outcome}
      onDismiss={() => setOutcome(null)}
      onSignedIn={() => setOutcome(null)}
      onStartOver={onStartOver}
      send={`Save ${name}`}
      pending={write.pending}
      closed={closed}
      idempotencyKey={write.idempotencyKey}
      onSend={() => void write.send()}
      onBack={() => router.push(back)}
    >
      <ChangedMeanwhile conflicts={conflicts} />
      <BusinessFields form={form}>
        <TaxIdAgain form={form} typed={typed} onFile={account.business_profile?.tax_id} />
      </BusinessFields>
      <DetailFields form={form} />
      <FieldGroup title="In this platform">
        <TextField
          form={form}
          name="external_id"
          label="External id"
          maxLength={100}
          hint={account.external_id ? 'Left empty it stays as it is.' : 'Your own reference.'}
        />
      </FieldGroup>
      <MetadataField before={account.metadata} lines={typed.metadata} onChange={(lines) => setField(form, 'metadata', lines)} />
    </FormPage>
  )
}

type Write = Pick<ReturnType<typeof useWriteForm<'accounts.update', AccountValues>>, 'form' | 'typed'>

/**
 * The account changed while the form was open: fields nobody touched follow it, and the names of those that both changed are given. What was
 * typed is never overwritten.
 */
function useRebase(account: Account, { form, typed }: Write): readonly string[] | null {
  const [base, setBase] = useState(account)
  const [conflicts, setConflicts] = useState<readonly string[] | null>(null)
  useEffect(() => {
    if (base.updated_at === account.updated_at) return
    const { follow, conflicts: named } = rebase(accountValues(base), accountValues(account), typed)
    for (const { path, value } of follow) setField(form, path as Path<AccountValues>, value as never)
    setBase(account)
    setConflicts(named)
  }, [account, base, form, typed])
  return conflicts
}
