'use client'

import { RequestFacts } from '@/components/deletions/record/impact-panel'
import { useApprovalNeed, whyNotRequestable } from '@/components/kits/action/second-person'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ActionForm } from '@/components/kits/form/action-form'
import { DateField, SelectField, TextField } from '@/components/kits/form/fields'
import { formResolver } from '@/components/kits/form/form-resolver'
import { useDraftForm } from '@/components/kits/form/use-draft-form'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { focusOnMount } from '@/components/kits/layout/focus'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import type { CallError } from '@/lib/client/call-error'
import { newCorrelationId } from '@/lib/client/drafts'
import { useOperation } from '@/lib/client/query/writes'
import { rolesText } from '@/lib/domain/permissions'
import { askerWords, basisWords, identityCheckWords } from '@/lib/features/deletions/labels'
import { evidenceRoles } from '@/lib/operations/define'
import type { DeletionView } from '@/lib/operations/deletion'
import { deletionRequest } from '@/lib/operations/deletion'

type Values = { asker: string; basis: string; identity_check: string; ticket: string; due_on: string }

const emptyValues: Values = { asker: '', basis: '', identity_check: '', ticket: '', due_on: '' }
const fields = Object.keys(emptyValues) as (keyof Values)[]

type RequestFormProps = { customerId: string; account: string; onRequested: () => void }

/** A form that requests a deletion. Its only free text is a ticket reference: the request must not contain the data to delete. */
export function RequestForm({ customerId, account, onRequested }: RequestFormProps) {
  const context = usePageContext()
  const online = useOnline()
  const toInput = ({ ticket, due_on, ...grounds }: Values) => {
    const optionalFields = { ticket: ticket.trim() || undefined, due_on: due_on || undefined }
    return { id: draft.key, account, customer_id: customerId, ...grounds, ...optionalFields }
  }
  const draft = useDraftForm<Values>(`deletions.request/${customerId}`, {
    values: emptyValues,
    resolver: formResolver({ schema: deletionRequest, toInput }),
    // The draft's key is the request's id. If the request is sent again, the server returns the first one.
    newKey: newCorrelationId,
  })
  const { form } = draft
  const request = useOperation<'deletions.request'>({ environment: context.environment, account: null })
  const failed = request.error
  const canRequest = context.person.roles.some((role) => evidenceRoles.includes(role))
  const need = useApprovalNeed('customers.delete', customerId, { account, enabled: canRequest })
  const notApprovableReason = need ? whyNotRequestable(need) : null
  const notAllowed = canRequest ? null : `Only ${rolesText(evidenceRoles)} can request a deletion.`
  const disabledReason = notAllowed ?? notApprovableReason ?? (online ? null : offlineReason)

  const send = form.handleSubmit(async (values) => {
    const sent = request.mutateAsync({ operation: 'deletions.request', input: deletionRequest.parse(toInput(values)) })
    await sent.then(
      () => {
        draft.drop()
        onRequested()
      },
      ({ items }: CallError) => {
        for (const { reference, detail } of items) {
          const field = fields.find((each) => each === reference)
          if (field) form.setError(field, { message: detail })
        }
      },
    )
  })
  return (
    <ActionForm
      layout="panel"
      label="Request deletion"
      onSend={send}
      send="Request deletion"
      pending={form.formState.isSubmitting}
      disabledReason={disabledReason}
      outcome={failed && <ErrorNotice urgent what="Nothing was saved" error={failed.toWire()} requestId={failed.requestId} />}
    >
      {notApprovableReason && <p className="font-medium text-bad text-sm">{notApprovableReason}</p>}
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
        <SelectField form={form} name="asker" label="Requester" choices={askerWords} none="Choose…" />
        <SelectField form={form} name="basis" label="Legal ground" choices={basisWords} none="Choose…" />
        <SelectField form={form} name="identity_check" label="How the identity was verified" choices={identityCheckWords} none="Choose…" />
        <div className="grid grid-cols-2 items-start gap-4">
          <TextField
            form={form}
            name="ticket"
            label="Ticket"
            placeholder="PRIV-1234"
            maxLength={40}
            spellCheck={false}
            hint="A reference without names"
          />
          <DateField form={form} name="due_on" label="Due on" hint="The statutory deadline" />
        </div>
      </div>
      <p className="text-ink-3 text-xs">A request deletes nothing yet. You review the affected records first, then confirm the deletion.</p>
    </ActionForm>
  )
}

type OpenRequestProps = {
  title: string
  request: DeletionView
  /** True if the deletion was requested on this page since it loaded. */
  justNow: boolean
  onChanged: () => void
}

export function OpenRequest({ title, request, justNow, onChanged }: OpenRequestProps) {
  const { person } = usePageContext()
  const { mutate, isPending, error: failed } = useOperation<'deletions.withdraw'>({ environment: request.environment, account: null })
  const canWithdraw = person.roles.some((role) => evidenceRoles.includes(role))
  const withdraw = () => mutate({ operation: 'deletions.withdraw', input: { id: request.id } }, { onSettled: onChanged })
  return (
    <Panel
      title={title}
      // The button is in the header. In the footer it would appear under the pointer that has just submitted the form.
      aside={
        <Button
          size="small"
          loading={isPending}
          disabledReason={canWithdraw ? null : `Only ${rolesText(evidenceRoles)} can withdraw a request.`}
          onClick={withdraw}
        >
          Withdraw request
        </Button>
      }
    >
      <div className="grid gap-3">
        {justNow && <RequestedMessage />}
        <RequestFacts request={request} />
        {failed && <ErrorNotice urgent what="The request was not withdrawn" error={failed.toWire()} requestId={failed.requestId} />}
      </div>
    </Panel>
  )
}

/** The confirmation in place of the form. It takes the focus. */
const RequestedMessage = () => (
  <p ref={focusOnMount} role="status" tabIndex={-1} className="font-medium">
    Deletion requested. Nothing is deleted yet.
  </p>
)
