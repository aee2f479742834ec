'use client'

import type { UseFormReturn } from 'react-hook-form'
import { DeletionRequestFacts } from '@/components/deletions/record/impact-panel'
import {
  useApprovalNeed,
  whyApprovalNotRequestable,
} from '@/components/kits/action/approval-notice'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ActionForm } from '@/components/kits/form/action-form'
import { DateField, SelectField, TextField } from '@/components/kits/form/fields'
import { createFormResolver } from '@/components/kits/form/form-resolver'
import { useDraftForm } from '@/components/kits/form/use-draft-form'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { focusOnMount } from '@/components/kits/layout/focus'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import type { CallError } from '@/lib/client/call-error'
import { createCorrelationId } from '@/lib/client/drafts'
import { useOperation } from '@/lib/client/query/writes'
import { formatRoles } from '@/lib/domain/permissions'
import {
  identityCheckLabels,
  legalBasisLabels,
  requesterLabels,
} from '@/lib/features/deletions/labels'
import { evidenceRoles } from '@/lib/operations/define'
import type { DeletionView } from '@/lib/operations/deletion'
import { deletionRequest } from '@/lib/operations/deletion'

type DeletionRequestValues = {
  asker: string
  basis: string
  identity_check: string
  ticket: string
  due_on: string
}

const emptyValues: DeletionRequestValues = {
  asker: '',
  basis: '',
  identity_check: '',
  ticket: '',
  due_on: '',
}
const fieldNames = Object.keys(emptyValues) as (keyof DeletionRequestValues)[]

function showFieldErrors(form: UseFormReturn<DeletionRequestValues>, { items }: CallError) {
  for (const { reference, detail } of items) {
    const faultyField = fieldNames.find((each) => each === reference)
    if (faultyField) form.setError(faultyField, { message: detail })
  }
}

/**
 * The only free text is a ticket reference, because the request must not contain the personal data
 * to delete.
 */
const DeletionRequestFields = ({ form }: { form: UseFormReturn<DeletionRequestValues> }) => (
  <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
    <SelectField
      form={form}
      name="asker"
      label="Requester"
      choices={requesterLabels}
      none="Choose…"
    />
    <SelectField
      form={form}
      name="basis"
      label="Legal ground"
      choices={legalBasisLabels}
      none="Choose…"
    />
    <SelectField
      form={form}
      name="identity_check"
      label="How the identity was verified"
      choices={identityCheckLabels}
      none="Choose…"
    />
    <div className="grid grid-cols-2 items-start gap-4">
      <TextField
        form={form}
        name="ticket"
        label="Ticket"
        placeholder="PRIV-1234"
        maxLength={40}
        spellCheck={false}
        hint="Ticket number, without personal names"
      />
      <DateField form={form} name="due_on" label="Due on" hint="The statutory deadline" />
    </div>
  </div>
)

type DeletionRequestFormProps = {
  customerId: string
  account: string | null
  onRequested: () => void
}

export function DeletionRequestForm({
  customerId,
  account,
  onRequested,
}: DeletionRequestFormProps) {
  const context = usePageContext()
  const isOnline = useOnline()
  const toRequestInput = ({ ticket, due_on, ...grounds }: DeletionRequestValues) => {
    const optionalFields = { ticket: ticket.trim() || undefined, due_on: due_on || undefined }
    return {
      id: requestDraftForm.key,
      account,
      customer_id: customerId,
      ...grounds,
      ...optionalFields,
    }
  }
  const requestDraftForm = useDraftForm<DeletionRequestValues>(`deletions.request/${customerId}`, {
    values: emptyValues,
    resolver: createFormResolver({ schema: deletionRequest, toInput: toRequestInput }),
    // The draft's key becomes the id of the deletion request. If the form is sent twice, the server
    // finds the first request by this id and returns it.
    newKey: createCorrelationId,
  })
  const { form } = requestDraftForm
  const requestMutation = useOperation<'deletions.request'>({
    environment: context.environment,
    account: null,
  })
  const requestError = requestMutation.error
  const canRequestDeletion = context.person.roles.some((role) => evidenceRoles.includes(role))
  const approvalNeed = useApprovalNeed('customers.delete', customerId, {
    account,
    enabled: canRequestDeletion,
  })
  const notApprovableReason = approvalNeed ? whyApprovalNotRequestable(approvalNeed) : null
  const roleDisabledReason = canRequestDeletion
    ? null
    : `Only ${formatRoles(evidenceRoles)} can request a deletion.`
  const disabledReason =
    roleDisabledReason ?? notApprovableReason ?? (isOnline ? null : offlineReason)

  const submitRequest = form.handleSubmit(async (values) => {
    const requestPromise = requestMutation.mutateAsync({
      operation: 'deletions.request',
      input: deletionRequest.parse(toRequestInput(values)),
    })
    await requestPromise.then(
      () => {
        requestDraftForm.drop()
        onRequested()
      },
      (error: CallError) => showFieldErrors(form, error),
    )
  })
  return (
    <ActionForm
      layout="panel"
      label="Request deletion"
      onSend={submitRequest}
      send="Request deletion"
      pending={form.formState.isSubmitting}
      disabledReason={disabledReason}
      outcome={
        requestError && (
          <ErrorNotice
            urgent
            what="Nothing was saved"
            error={requestError.toWire()}
            requestId={requestError.requestId}
          />
        )
      }
    >
      {notApprovableReason && <p className="font-medium text-bad text-sm">{notApprovableReason}</p>}
      <DeletionRequestFields form={form} />
      <p className="text-ink-3 text-xs">
        A request deletes nothing yet. You review the affected records first, then confirm the
        deletion.
      </p>
    </ActionForm>
  )
}

type OpenDeletionRequestProps = {
  title: string
  request: DeletionView
  /** True if the deletion was requested on this page since it loaded. */
  justNow: boolean
  onChanged: () => void
}

export function OpenDeletionRequest({
  title,
  request,
  justNow,
  onChanged,
}: OpenDeletionRequestProps) {
  const { person } = usePageContext()
  const {
    mutate,
    isPending,
    error: withdrawError,
  } = useOperation<'deletions.withdraw'>({ environment: request.environment, account: null })
  const canWithdraw = person.roles.some((role) => evidenceRoles.includes(role))
  const withdrawRequest = () =>
    mutate({ operation: 'deletions.withdraw', input: { id: request.id } }, { onSettled: onChanged })
  return (
    <Panel
      title={title}
      // The button is in the header, because in the footer it would appear under the pointer that
      // has just clicked "Request deletion". A second click would then withdraw the request.
      aside={
        <Button
          size="small"
          loading={isPending}
          disabledReason={
            canWithdraw ? null : `Only ${formatRoles(evidenceRoles)} can withdraw a request.`
          }
          onClick={withdrawRequest}
        >
          Withdraw request
        </Button>
      }
    >
      <div className="grid gap-3">
        {justNow && <RequestedMessage />}
        <DeletionRequestFacts request={request} />
        {withdrawError && (
          <ErrorNotice
            urgent
            what="The request was not withdrawn"
            error={withdrawError.toWire()}
            requestId={withdrawError.requestId}
          />
        )}
      </div>
    </Panel>
  )
}

/**
 * Confirms that the deletion was requested. Takes the focus, because the form with the focused
 * button has been removed.
 */
const RequestedMessage = () => (
  <p ref={focusOnMount} role="status" tabIndex={-1} className="font-medium">
    Deletion requested. Nothing is deleted yet.
  </p>
)
