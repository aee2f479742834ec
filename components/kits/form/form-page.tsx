'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useFormOutcome } from '@/components/kits/action/form-outcome'
import { isOpen, type Outcome, useOutcome } from '@/components/kits/action/outcome'
import { ReasonFields, type ReasonValues, useWarnings, WarningTicks } from '@/components/kits/action/reason-fields'
import { useDisabledReason } from '@/components/kits/action/use-disabled-reason'
import { PageHeader } from '@/components/kits/layout/page-header'
import { newCorrelationId } from '@/lib/client/drafts'
import type { ActionView } from '@/lib/operations/answer'
import { serviceOperation, type WriteId } from '@/lib/operations/service-operations'
import { OperationForm } from './operation-form'
import { type OperationFormOptions, type PendingWrite, type ReasonAsked, type ReasonsFor, useOperationForm } from './use-operation-form'

type FormPageOptions<K extends WriteId, V extends FieldValues> = Omit<
  OperationFormOptions<K, V>,
  'correlationId' | 'onOutcome' | 'onDone' | 'warnings' | 'reasonOf' | 'reasons'
> &
  ReasonsFor<K> & {
    /** Names on the screen, which do not belong in a reason. */
    names?: readonly (string | undefined)[]
    /** What Paydesk did with the object that is changed; left out for one that is made. */
    actions?: readonly ActionView[]
    /** Why it cannot be sent, besides what closes every write: what the object says, or what has to be chosen first. */
    rule?: string | null
    /** Where Back leads. */
    back: string
    /** Where it leads once it was carried out, by the id of the object. */
    done: (id: string) => string
    /** The object is another by now than the one that was read. */
    onMoved?: () => void
  }

const none: readonly ActionView[] = []
const nobody: readonly undefined[] = []

/** One write with a page of its own: fields, outcome, why it is unavailable, and where it leads. `page` is what `FormPage` needs of it. */
export function useFormPage<K extends WriteId, V extends FieldValues>(options: FormPageOptions<K, V>) {
  const { actions = none, rule = null, names = nobody, back, done, onMoved, ...write } = options
  const { operation } = write
  // Which of the two it is hangs on the operation, which is open in here.
  const { reasons } = options as { reasons?: ReasonAsked['reasons'] }
  const router = useRouter()
  const [correlationId] = useState(newCorrelationId)
  const state = useOutcome({ actions, operation })
  const disabledReason = useDisabledReason({ live: actions.find(isOpen) })(operation, rule)
  const filled = useOperationForm<K, V>({
    ...write,
    correlationId,
    warnings: () => (reasons ? warnings : null),
    onOutcome: (outcome) => {
      state.setOutcome(outcome)
      if (outcome?.error?.code === 'changed') onMoved?.()
    },
    // Every write that has a page answers with the object it made or changed.
    onDone: ({ data }) => router.push(done((data as { id: string }).id)),
  })
  const { form, typed, send, pending, pendingWrite } = filled
  const warnings = useWarnings(reasons ? String((typed as FieldValues).text ?? '') : '', names, [])
  // The form holds code and note besides its fields; its type alone does not say so.
  const reason: ReasonAsked | null = reasons ? { reasons, form: form as unknown as UseFormReturn<ReasonValues>, warnings } : null
  const { outcome } = state
  return {
    form,
    typed,
    outcome,
    page: {
      ...{ pendingWrite, outcome, pending, disabledReason, reason },
      onDismiss: () => state.setOutcome(null),
      onSignedIn: state.signedIn,
      onSend: () => void send(),
      onBack: () => router.push(back),
    },
  }
}

type FormPageProps = {
  title: ReactNode
  /** For which account, in which environment. */
  meta?: ReactNode
  actions?: ReactNode
  /** The write of the form, as `useOperationForm` gives it. */
  pendingWrite: PendingWrite
  outcome: Outcome | null
  onDismiss: () => void
  onSignedIn: () => void
  /** Called when a safety stop was acknowledged; the form is to be remounted with a new key. */
  onStartOver?: () => void
  send: string
  /** What Ctrl and Enter does, where that is not sending. */
  does?: string
  danger?: boolean
  pending: boolean
  disabledReason: string | null
  onSend: () => void
  onBack?: () => void
  /** Why, where the operation asks for it. */
  reason?: ReasonAsked | null
  children: ReactNode
}

/** A page that makes or edits something: fields in groups, the outcome in place, the button that says what will happen. What is typed stays. */
export function FormPage(props: FormPageProps) {
  const { onSend, pending, pendingWrite, outcome, onDismiss, onSignedIn, onStartOver } = props
  const told = useFormOutcome({ pendingWrite, outcome, onDismiss, onSignedIn, onStartOver })
  return (
    <div className="mx-auto grid max-w-4xl gap-3 pt-2">
      <PageHeader title={props.title} meta={props.meta} actions={props.actions} />
      <OperationForm
        className="gap-4"
        onSubmit={onSend}
        submitLabel={props.send}
        does={props.does}
        danger={props.danger}
        pending={pending}
        disabledReason={props.disabledReason ?? told.disabledReason}
        idempotencyKey={pendingWrite.key}
        onBack={props.onBack}
        outcome={told.view}
        footClassName="sticky bottom-0 z-10 -mx-4 grid gap-3 border-line border-t bg-surface px-4 py-2.5 sm:mx-0 sm:rounded sm:border"
      >
        {props.children}
        {props.reason && <ReasonGroup operation={pendingWrite.operation} {...props.reason} />}
      </OperationForm>
    </div>
  )
}

/** Why, as the last part of a form that asks for it. */
const ReasonGroup = ({ operation, reasons, form, warnings }: ReasonAsked & { operation: WriteId }) => (
  <div className="grid gap-3 rounded border border-line bg-surface p-3">
    <ReasonFields reasons={reasons} form={form} where={serviceOperation(operation).reason ?? 'kept'} />
    {warnings && <WarningTicks warnings={warnings} />}
  </div>
)
