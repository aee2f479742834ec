'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import type { ActionChoice } from '@/components/kits/action/action-choices'
import { useOutcome } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { RecordContentProps } from '@/components/kits/record/record-panel'
import type { OwnerAccount } from '@/components/kits/record/side-reads'
import type { FileQueue } from '@/components/kits/upload/file-queue'
import { getPaymentOperation, paymentOperations } from '@/components/payments/operations'
import type { CallAnswer } from '@/lib/client/call'
import { readDraft, saveDraft } from '@/lib/client/drafts'
import type { UploadOperationId } from '@/lib/client/upload'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import {
  listPaymentActions,
  type PaymentAction,
  whyActionUnavailable,
} from '@/lib/domain/payment-rules'
import { getPaymentActionTexts } from '@/lib/features/payments/labels'
import type { AuthorizationDetails } from '@/lib/operations/payment-input.schema'
import type { WriteId } from '@/lib/operations/service-operations'
import type { PaymentRelatedReads } from './use-facts'

export type ProofValues = {
  authorized_by: string
  authorized_on: string
  method: string
  note: string
}

/**
 * An unfinished upload: its files, the typed details, the details sent under each idempotency key,
 * and the SHA-256 of each file.
 */
export type UploadDraft = {
  queue: FileQueue
  values: ProofValues
  sent: Map<string, AuthorizationDetails>
  hashes: WeakMap<File, string>
}

const toUploadDraftName = (operation: UploadOperationId, id: string) => `${operation}/${id}`

export const countFilesLeft = ({ queue }: UploadDraft): number =>
  queue.jobs().filter(({ state }) => state !== 'attached' && state !== 'refused').length

/** Returns the unfinished upload of a payment. Undefined if no file is left to attach. */
export function findUnfinishedUpload(
  operation: UploadOperationId,
  id: string,
): UploadDraft | undefined {
  const draft = readDraft<UploadDraft>(toUploadDraftName(operation, id))
  return draft && countFilesLeft(draft) > 0 ? draft : undefined
}

/** Stores an upload in memory until the page is closed or reloaded. */
export const storeUploadDraft = (operation: UploadOperationId, id: string, draft: UploadDraft) =>
  saveDraft(toUploadDraftName(operation, id), draft)

export type PaymentDetailProps = Omit<RecordContentProps<'payouts.get'>, 'answer'> & {
  kind: PaymentKind
  answer: CallAnswer<Payment>
}

/** The URL parameter `do`, such as `do=release`, opens the form of one of these. */
const actionsWithForm: readonly PaymentAction[] = [
  'release',
  'hold',
  'cancel',
  'update',
  'resubmit',
  'refund',
]

/** Removes `do` from the URL, so that a reload does not open the form again. */
function removeActionParameter(): void {
  const url = new URL(window.location.href)
  if (!url.searchParams.has('do')) return
  url.searchParams.delete('do')
  window.history.replaceState(null, '', url)
}

export function usePaymentActions(
  props: PaymentDetailProps,
  owner: OwnerAccount,
  facts: PaymentRelatedReads,
) {
  const { kind, answer, actions, onClose, onChanged } = props
  const payment = answer.data
  const { amountUnit } = usePageContext()
  const outcomeState = useOutcome({
    actions,
    operation: getPaymentOperation(kind, 'release'),
    onChanged,
  })
  const actionInUrl = useSearchParams().get('do')
  const actionOpenedByUrl = actionsWithForm.find((action) => action === actionInUrl && !onClose)
  const [openOperation, setOpenOperation] = useState<WriteId | null>(
    actionOpenedByUrl ? getPaymentOperation(kind, actionOpenedByUrl) : null,
  )
  // If the payment has an unfinished upload, the upload panel is open from the start.
  const [isUploadOpen, setIsUploadOpen] = useState(
    () => findUnfinishedUpload(paymentOperations[kind].authorize, payment.id) !== undefined,
  )
  const paykeyStatus = facts.paykey.data?.status
  const getWriteDisabledReason = useDisabledReasonGetter({
    ownerWhy: owner.why,
    live: outcomeState.live,
  })
  const getDisabledReason = (action: PaymentAction) =>
    getWriteDisabledReason(
      getPaymentOperation(kind, action),
      whyActionUnavailable(action, payment, { kind, paykeyStatus, unit: amountUnit }),
    )
  const openForm = (operation: WriteId | null) => {
    setOpenOperation(operation)
    if (operation) setIsUploadOpen(false)
    else removeActionParameter()
  }
  const openResubmitForm = () => openForm(getPaymentOperation(kind, 'resubmit'))
  const offeredActions = listPaymentActions(kind, payment.status)
  // An open form stays, even if its action is no longer available: typed values must not be lost.
  const visibleActions = [
    ...offeredActions,
    ...actionsWithForm.filter(
      (action) =>
        getPaymentOperation(kind, action) === openOperation && !offeredActions.includes(action),
    ),
  ]
  const textsByAction = getPaymentActionTexts(kind)
  const choices = visibleActions.map(
    (action): ActionChoice => ({
      operation: getPaymentOperation(kind, action),
      opens: textsByAction[action].opens,
      key: textsByAction[action].key,
      disabledReason: getDisabledReason(action),
      ...(action === 'authorize' ? { press: () => setIsUploadOpen(true) } : {}),
    }),
  )
  return {
    state: outcomeState,
    open: openOperation,
    decide: openForm,
    disabledReasonOf: getDisabledReason,
    resubmit: openResubmitForm,
    choices,
    uploading: isUploadOpen,
    setUploading: setIsUploadOpen,
  }
}
