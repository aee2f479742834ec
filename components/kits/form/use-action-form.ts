'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useApprovalNotice } from '@/components/kits/action/approval-notice'
import { useFormOutcome } from '@/components/kits/action/form-outcome'
import {
  isCertainRefusal,
  isOpenAction,
  type Outcome,
  useOutcome,
} from '@/components/kits/action/outcome'
import {
  type ReasonValues,
  useWarnings,
  type WarningsState,
} from '@/components/kits/action/reason-fields'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import { toDraftName } from '@/components/kits/action/write-draft'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import { toCallError } from '@/lib/client/call-error'
import { createCorrelationId } from '@/lib/client/drafts'
import { type OperationRequest, useOperation } from '@/lib/client/query/writes'
import { parseWarningErrorItems } from '@/lib/domain/warnings'
import type { ErrorItem } from '@/lib/errors'
import type { Input } from '@/lib/operations/registry'
import { getServiceOperation, type WriteId } from '@/lib/operations/service-operations'
import {
  type ActionFormOptions,
  addConfirmationField,
  addIdToInput,
  type ReasonOptionsOfOperation,
} from './action-form-options'
import { useInitialSnapshot, useMergedChangesNotice } from './changed-meanwhile'
import { createFormResolver } from './form-resolver'
import { useDraftForm } from './use-draft-form'
import { addReasonFields, type ReasonOptions } from './with-reason'

const emptyList: readonly never[] = []

/**
 * Returns the state of a form that sends one operation: fields, draft, idempotency key, warnings
 * and outcome. `frame` contains the props of `ActionForm`. If `onOutcome` is given, the caller
 * shows the outcome. Otherwise the form does.
 */
export function useActionForm<K extends WriteId, V extends FieldValues>(
  formOptions: ActionFormOptions<K, V> & ReasonOptionsOfOperation<K, V>,
) {
  const completeOptions: ActionFormOptions<K, V> = addReasonFields(
    addConfirmationField(addIdToInput(formOptions)),
  )
  const {
    operation,
    target,
    account,
    id,
    actions = emptyList,
    names = emptyList,
    warnings: objectWarnings = emptyList,
    reasons,
    confirmation,
  } = completeOptions
  const outcomeState = useOutcome({ actions, operation })
  const draftForm = useDraftForm<V>(toDraftName(operation, target), {
    ...completeOptions,
    resolver: createFormResolver<V>(completeOptions),
  })
  const { form, typed } = draftForm
  const warnings = useWarnings(String((typed as FieldValues).text ?? ''), names, objectWarnings)
  const { snapshot, release } = useInitialSnapshot(completeOptions.snapshot, id !== undefined)
  const { onBack, onMade } = useNavigationCallbacks(completeOptions)
  const handleOutcome = (outcome: Outcome | null) => {
    if (outcome?.error?.code === 'changed') {
      release()
      completeOptions.onMoved?.()
    }
    ;(completeOptions.onOutcome ?? outcomeState.setOutcome)(outcome)
  }
  const { send, pending } = useValidateAndSend(completeOptions, draftForm, {
    snapshot,
    onOutcome: handleOutcome,
    onMade,
    ticks: completeOptions.ticks ?? (() => warnings),
  })
  const formOutcome = useFormOutcome({
    operation,
    account,
    draft: draftForm,
    state: outcomeState,
    isElsewhere: completeOptions.onOutcome !== undefined,
    onMade,
  })
  const disabledReason = useDisabledReasonGetter({
    live: actions.find(isOpenAction),
    ownerWhy: completeOptions.ownerWhy,
  })(operation, completeOptions.disabledReason ?? null)
  const approval = useApprovalNotice({ ...completeOptions, typed, disabledReason })
  const changedNotice = useMergedChangesNotice(
    { values: formOptions.values, snapshot: formOptions.snapshot, ...completeOptions.edited },
    draftForm,
    actions,
  )
  // The form also contains the reason code, note and confirmation, which `V` does not.
  const reasonForm = form as unknown as UseFormReturn<ReasonValues>
  return {
    ...{ form, typed, warnings, outcome: outcomeState.outcome },
    frame: {
      ...{ onSend: () => void send(), onBack, pending, warnings },
      disabledReason: approval.disabledReason ?? formOutcome.disabledReason,
      ...{ idempotencyKey: draftForm.key, requestLabel: approval.requestLabel },
      notice: approval.notice ?? changedNotice,
      reason: reasons && {
        reasons,
        form: reasonForm,
        where: getServiceOperation(operation).reason ?? ('kept' as const),
      },
      confirmation: confirmation && { ...confirmation, form: reasonForm },
      outcome: formOutcome.view,
    },
  }
}

function useNavigationCallbacks({
  back,
  done,
  onBack,
  onMade,
}: Pick<ActionFormOptions<WriteId, never>, 'back' | 'done' | 'onBack' | 'onMade'>) {
  const router = useRouter()
  return {
    onBack: onBack ?? (back === undefined ? undefined : () => router.push(back)),
    onMade: onMade ?? (done && ((id: string) => router.push(done(id)))),
  }
}

type SendOptions = {
  snapshot: string | undefined
  onOutcome: (outcome: Outcome | null) => void
  onMade: ((id: string) => void) | undefined
  ticks: () => WarningsState
}

/** Sends the write under the idempotency key of the draft. */
function useValidateAndSend<K extends WriteId, V extends FieldValues>(
  options: ActionFormOptions<K, V>,
  { form, key, renew, drop }: ReturnType<typeof useDraftForm<V>>,
  { snapshot, onOutcome, onMade, ticks }: SendOptions,
) {
  const { operation, account } = options
  const { environment } = usePageContext()
  const [ownCorrelationId] = useState(createCorrelationId)
  const { mutateAsync, isPending } = useOperation<K>({ environment, account })
  const showFailure = (cause: unknown) => {
    const error = toCallError(cause)
    if (isCertainRefusal(error.code)) renew()
    const newWarnings = parseWarningErrorItems(error.items)
    if (newWarnings.length > 0) return ticks().tell(newWarnings)
    const itemsWithoutField = setFieldErrors(options, error.items, (name, message) =>
      form.setError(name, { type: 'server', message }),
    )
    const items = itemsWithoutField.length > 0 ? itemsWithoutField : undefined
    onOutcome({
      operation,
      action: error.action,
      error: { ...error.toWire(), items, requestId: error.requestId, local: error.local },
    })
  }
  const validateAndSend = form.handleSubmit(async (filled) => {
    const values = filled as unknown as V
    const warningsState = ticks()
    if (isPending || !warningsState.allTicked()) return
    onOutcome(null)
    const writeRequest = {
      ...{
        operation,
        snapshot,
        input: options.toInput(values) as Input<K>,
        reason: options.reasonOf?.(values),
      },
      ...{
        correlationId: options.correlationId ?? ownCorrelationId,
        warnings: warningsState.names(),
      },
    }
    const sendWithKey = (idempotencyKey: string) =>
      mutateAsync({ ...writeRequest, idempotencyKey } as OperationRequest<K>)
    const resendIfAnswerLost = (cause: unknown) => {
      // An earlier request of this form was applied, but the response with its credential was lost.
      // The service returns a credential only once, so the form requests another one with a new
      // key. That is safe, because such an operation creates nothing but a credential.
      if (
        !getServiceOperation(operation).credential ||
        toCallError(cause).code !== 'answer_not_kept'
      )
        throw cause
      return sendWithKey(renew())
    }
    const writeAnswer = await sendWithKey(key).catch(resendIfAnswerLost).catch(showFailure)
    if (!writeAnswer) return
    drop()
    onOutcome({ operation, action: writeAnswer.action, replayed: writeAnswer.replayed })
    handleAnswer(writeAnswer, options.onDone, onMade)
  })
  return { send: validateAndSend, pending: isPending }
}

function handleAnswer<T>(
  answer: CallAnswer<T>,
  onDone: ((answer: CallAnswer<T>) => void) | undefined,
  onMade: ((id: string) => void) | undefined,
): void {
  // Nothing was created or changed yet, so the response contains no object.
  if (answer.action?.state === 'awaiting_approval') return
  if (onDone) onDone(answer)
  // Every operation with `done` or `onMade` returns the object it created or changed.
  else onMade?.((answer.data as { id: string }).id)
}

/** Sets each of the service's errors at its form field. Returns those that belong to no field. */
const setFieldErrors = <V extends FieldValues>(
  { fieldOf, values }: Pick<ReasonOptions<V>, 'fieldOf' | 'values'>,
  items: readonly ErrorItem[],
  setError: (name: Path<V>, message: string) => void,
): ErrorItem[] =>
  items.filter(({ reference, detail }) => {
    const fieldName = fieldOf?.(reference) ?? reference
    const hasField = fieldName !== '' && Object.hasOwn(values, fieldName.split('.')[0] ?? '')
    if (hasField) setError(fieldName as Path<V>, detail)
    return !hasField
  })
