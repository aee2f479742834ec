import type { FieldValues } from 'react-hook-form'
import type { TypedPayment } from '@/components/kits/action/approval-notice'
import type { Outcome } from '@/components/kits/action/outcome'
import type { WarningsState } from '@/components/kits/action/reason-fields'
import type { CallAnswer } from '@/lib/client/call'
import type { DecisionReason } from '@/lib/domain/reasons'
import { normalizeText } from '@/lib/domain/text-forms'
import type { Warning } from '@/lib/domain/warnings'
import type { ActionView } from '@/lib/operations/answer'
import type { Output } from '@/lib/operations/registry'
import type { OperationIdWithReason, WriteId } from '@/lib/operations/service-operations'
import type { ReasonOptions } from './with-reason'

export type ActionFormOptions<K extends WriteId, V extends FieldValues> = ReasonOptions<V> & {
  operation: K
  /** Part of the draft's name: the object's id, or `new`. */
  target: string
  account: string | null
  /**
   * The id of the record in whose panel the form is open. If it is given, the form adds it to the
   * input, shows the approval that the write needs, and sends the snapshot hash from when the form
   * opened.
   */
  id?: string
  /** The typed payment, if the approval that the write needs can depend on it. */
  payment?: (values: V) => TypedPayment
  snapshot?: string | undefined
  /** The default is a new id for each form. */
  correlationId?: string
  secret?: readonly string[]
  /** The form's own reason, such as a missing choice. The hook adds general reasons. */
  disabledReason?: string | null
  /** The reason why the object's account is unknown. Null or undefined if the account is known. */
  ownerWhy?: string | null
  /** Paydesk's actions on the edited object. Undefined if the form creates an object. */
  actions?: readonly ActionView[]
  /**
   * The noun of the edited object, and when the object was read (ISO). If it is given, later
   * changes of the object are merged into the open form.
   */
  edited?: { one: string; readAt: string | undefined }
  /** Names shown on the page. The note must not contain them. */
  names?: readonly (string | undefined)[]
  warnings?: readonly Warning[]
  /** Replaces the hook's own warnings, for a form that renders the warnings itself. */
  ticks?: () => WarningsState
  /** A text that the person must type to confirm an irreversible action. */
  confirmation?: { label: string; expected: string } | undefined
  /** Called if the write was refused because the object changed since it was read. */
  onMoved?: () => void
  /** The URL that Back opens. `onBack` takes precedence. */
  back?: string
  onBack?: () => void
  /** The caller shows the outcome, not the form. Called with null when the form is sent again. */
  onOutcome?: (outcome: Outcome | null) => void
  /** Returns the URL to open after success. `id` is the object that was created or changed. */
  done?: (id: string) => string
  /** Called after success, in place of opening the URL of `done`. */
  onMade?: (id: string) => void
  /**
   * Called with the response of a successful request, instead of `onMade`. If the outcome becomes
   * known only later, `onMade` is called.
   */
  onDone?: (answer: CallAnswer<Output<K>>) => void
}

/** The reasons that a form must offer if its operation requires one, enforced by the compiler. */
export type ReasonOptionsOfOperation<K extends WriteId, V> = K extends OperationIdWithReason
  ? { reasons: readonly DecisionReason[] } | { reasonOf: (values: V) => string }
  : unknown

export function addIdToInput<K extends WriteId, V extends FieldValues>(
  options: ActionFormOptions<K, V>,
): ActionFormOptions<K, V> {
  const { id, toInput } = options
  return id === undefined
    ? options
    : { ...options, toInput: (values) => ({ id, ...toInput(values) }) }
}

export function addConfirmationField<K extends WriteId, V extends FieldValues>(
  options: ActionFormOptions<K, V>,
): ActionFormOptions<K, V> {
  const { confirmation, values, check } = options
  if (!confirmation) return options
  const isConfirmationTyped = ({ typed }: FieldValues) =>
    normalizeText(String(typed)) === normalizeText(confirmation.expected)
  return {
    ...options,
    values: { ...values, typed: '' },
    check: (typed) => ({
      ...check?.(typed),
      ...(isConfirmationTyped(typed) ? {} : { typed: 'Does not match yet.' }),
    }),
  }
}
