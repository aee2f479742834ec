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
    /** Paydesk's actions on the object that is edited; leave it out when creating one. */
    actions?: readonly ActionView[]
    /** The form's own reason it cannot be sent: a state of the object, or a missing choice. General reasons are added. */
    rule?: string | null
    back: string
    /** Returns the URL to open after success, by the object's id. */
    done: (id: string) => string
    /** Called if the object has changed since it was read. */
    onMoved?: () => void
  }

const none: readonly ActionView[] = []
const nobody: readonly undefined[] = []

/**
 * State of a write that has its own page: fields, outcome and disabled reason. It navigates to `done` after success. `page` holds the props
 * of `FormPage`.
 */
export function useFormPage<K extends WriteId, V extends FieldValues>(options: FormPageOptions<K, V>) {
  const { actions = none, rule = null, names = nobody, back, done, onMoved, ...write } = options
  const { operation } = write
  // TypeScript cannot narrow `reasons` here because `K` is generic.
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
    // Every write with its own page returns the object it created or changed.
    onDone: ({ data }) => router.push(done((data as { id: string }).id)),
  })
  const { form, typed, send, pending, pendingWrite } = filled
  const warnings = useWarnings(reasons ? String((typed as FieldValues).text ?? '') : '', names, [])
  // The form also holds code and note; its type does not include them.
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
  /** Account and environment. */
  meta?: ReactNode
  actions?: ReactNode
  pendingWrite: PendingWrite
  outcome: Outcome | null
  onDismiss: () => void
  onSignedIn: () => void
  /** Called after a safety stop is acknowledged; remount the form with a new key. */
  onStartOver?: () => void
  send: string
  /** Verb for the Ctrl+Enter hint if the form does not send, such as "reveals". */
  does?: string
  danger?: boolean
  pending: boolean
  disabledReason: string | null
  onSend: () => void
  onBack?: () => void
  reason?: ReasonAsked | null
  children: ReactNode
}

/**
 * A page that creates or edits an object: grouped fields, outcome in place, and a submit button that names the action. Entries are kept.
 */
export function FormPage(props: FormPageProps) {
  const { onSend, pending, pendingWrite, outcome, onDismiss, onSignedIn, onStartOver } = props
  const formOutcome = useFormOutcome({ pendingWrite, outcome, onDismiss, onSignedIn, onStartOver })
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
        disabledReason={props.disabledReason ?? formOutcome.disabledReason}
        idempotencyKey={pendingWrite.key}
        onBack={props.onBack}
        outcome={formOutcome.view}
        footClassName="sticky bottom-0 z-10 -mx-4 grid gap-3 border-line border-t bg-surface px-4 py-2.5 sm:mx-0 sm:rounded sm:border"
      >
        {props.children}
        {props.reason && <ReasonGroup operation={pendingWrite.operation} {...props.reason} />}
      </OperationForm>
    </div>
  )
}

const ReasonGroup = ({ operation, reasons, form, warnings }: ReasonAsked & { operation: WriteId }) => (
  <div className="grid gap-3 rounded border border-line bg-surface p-3">
    <ReasonFields reasons={reasons} form={form} where={serviceOperation(operation).reason ?? 'kept'} />
    {warnings && <WarningTicks warnings={warnings} />}
  </div>
)
