'use client'

import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DateField, SelectField, TextField } from '@/components/kits/form/fields'
import { useDesk } from '@/components/kits/layout/desk-context'
import { offlineReason, useOnline } from '@/components/kits/layout/use-online'
import { Button } from '@/components/ui/button'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { requestDeletion } from '@/lib/client/deletions'
import { dropDraft, keepDraft, readDraft } from '@/lib/client/drafts'
import { newCorrelationId } from '@/lib/client/keys'
import { askerWords, basisWords, identityCheckWords } from '@/lib/domain/deletion-grounds'
import { rolesText } from '@/lib/domain/permissions'
import { provers } from '@/lib/operations/define'
import { deletionRequest } from '@/lib/operations/deletion.schema'

type Values = { asker: string; basis: string; identity_check: string; ticket: string; due_on: string }
type Draft = { id: string; values: Values }

const empty: Values = { asker: '', basis: '', identity_check: '', ticket: '', due_on: '' }
const fields = Object.keys(empty) as (keyof Values)[]

type RequestFormProps = { customerId: string; account: string; onRequested: () => void }

/** Asks for a deletion. Everything is chosen, not written: a request must not hold what it asks to delete. */
export function RequestForm({ customerId, account, onRequested }: RequestFormProps) {
  const desk = useDesk()
  const online = useOnline()
  const name = `deletions.request/${customerId}`
  // The id is the request's own: sending it twice finds the first.
  const [draft] = useState<Draft>(() => readDraft<Draft>(name) ?? { id: newCorrelationId(), values: empty })
  const form = useForm<Values>({ defaultValues: draft.values })
  const typed = useWatch({ control: form.control })
  const [failed, setFailed] = useState<CallError | null>(null)
  useEffect(() => keepDraft(name, { id: draft.id, values: { ...empty, ...typed } }), [name, draft.id, typed])
  const may = desk.person.roles.some((role) => provers.includes(role))
  const closed = may ? (online ? null : offlineReason) : `Only ${rolesText(provers)} can ask for a deletion.`

  const place = (items: readonly { reference: string; detail: string }[]) => {
    for (const item of items) {
      const field = fields.find((each) => each === item.reference)
      if (field) form.setError(field, { message: item.detail })
    }
  }
  const send = form.handleSubmit(async (values) => {
    const body = { id: draft.id, environment: desk.environment, account, customer_id: customerId, ...values }
    const parsed = deletionRequest.safeParse({ ...body, ticket: values.ticket.trim() || undefined, due_on: values.due_on || undefined })
    if (!parsed.success) {
      place(parsed.error.issues.map((issue) => ({ reference: issue.path.join('.'), detail: issue.message })))
      return
    }
    setFailed(null)
    try {
      await requestDeletion(parsed.data)
      dropDraft(name)
      onRequested()
    } catch (cause) {
      const error = asCallError(cause)
      place(error.items)
      setFailed(error)
    }
  })
  return (
    <form noValidate aria-label="Ask for deletion" onSubmit={(event) => event.preventDefault()} className="grid gap-3">
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
        <SelectField form={form} name="asker" label="Who asks" choices={askerWords} none="Choose…" />
        <SelectField form={form} name="basis" label="Legal ground" choices={basisWords} none="Choose…" />
        <SelectField form={form} name="identity_check" label="How the identity was checked" choices={identityCheckWords} none="Choose…" />
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField
            form={form}
            name="ticket"
            label="Ticket"
            placeholder="PRIV-1234"
            maxLength={40}
            spellCheck={false}
            hint="A reference, no names"
          />
          <DateField form={form} name="due_on" label="Due on" hint="The day the law sets" />
        </div>
      </div>
      {failed && <ErrorNotice urgent what="Nothing was written" error={failed.toWire()} requestId={failed.requestId} />}
      <div>
        <Button variant="primary" loading={form.formState.isSubmitting} disabledReason={closed} onClick={() => void send()}>
          Ask for deletion
        </Button>
      </div>
      <p className="text-ink-3 text-xs">
        Asking deletes nothing yet: what it would touch is looked over first, and one more step sends it.
      </p>
    </form>
  )
}
