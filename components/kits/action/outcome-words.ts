import type { Tone } from '@/components/ui/tone'
import type { ErrorCode } from '@/lib/errors'
import type { ActionState, ActionView } from '@/lib/operations/answer'
import { getServiceOperation } from '@/lib/operations/service-operations'
import type { Outcome } from './outcome'

/**
 * `check`: ask for the outcome of the same request. `resend`: send it again under the same key.
 * `start_over`: use a new key. `person`: ask the provider and decide the outcome.
 */
export type RecoveryStep =
  | 'none'
  | 'edit'
  | 'sign_in'
  | 'check'
  | 'resend'
  | 'start_over'
  | 'person'

/** If `urgent`, a screen reader announces the texts at once (`role="alert"`). */
export type OutcomeWords = {
  tone: Tone
  title: string
  text: string
  next: RecoveryStep
  urgent: boolean
}

const nothingChangedText = 'Nothing was changed at the payments service.'

type OutcomeWordsTuple = [tone: Tone, title: string | null, text: string, next: RecoveryStep]

/** Tone, title, text and next step by error code. A null title means the error's own title. */
const outcomeWordsByCode: Record<ErrorCode, OutcomeWordsTuple> = {
  bad_request: ['bad', null, `${nothingChangedText} Fix the fields below and try again.`, 'edit'],
  invalid_input: ['bad', null, `${nothingChangedText} Fix the fields below and try again.`, 'edit'],
  unauthenticated: [
    'held',
    'Your session ended',
    'Nothing was sent. Sign in here; your entries are kept and sent only when you submit again.',
    'sign_in',
  ],
  other_person: [
    'held',
    null,
    `${nothingChangedText} Reload the page to continue as the person who is signed in now.`,
    'none',
  ],
  forbidden: ['bad', null, `${nothingChangedText} An admin can grant the missing role.`, 'none'],
  blocked_by_policy: [
    'bad',
    null,
    `${nothingChangedText} Two admins can change the approval policy.`,
    'none',
  ],
  step_up_needed: ['held', 'Not confirmed', `${nothingChangedText} Your entries are kept.`, 'edit'],
  other_site: [
    'bad',
    null,
    `${nothingChangedText} Open Paydesk at its own address and try again.`,
    'none',
  ],
  not_found: ['bad', null, `${nothingChangedText} Refresh the page.`, 'none'],
  method_not_allowed: [
    'bad',
    'Internal fault',
    `${nothingChangedText} Please report this with the IDs below.`,
    'none',
  ],
  too_slow: ['held', null, `${nothingChangedText} Check the connection, then try again.`, 'edit'],
  too_large: ['bad', null, `${nothingChangedText} Choose a smaller file.`, 'edit'],
  too_many: ['held', null, `${nothingChangedText} Wait a moment, then try again.`, 'edit'],
  key_reused: [
    'bad',
    'Safety stop: the key was used for another request',
    `${nothingChangedText} Refresh the page, then start over with a new key.`,
    'start_over',
  ],
  in_progress: [
    'unknown',
    'The first attempt is still running',
    'The first attempt keeps running. Checking does not send the request twice.',
    'check',
  ],
  action_open: [
    'unknown',
    'Another action on this record is still in progress',
    'Your action was not sent. Try again once the other action is complete.',
    'edit',
  ],
  changed: [
    'held',
    'This changed since you opened it',
    'Nothing was sent. Your entries are kept. Review the current record, then try again if your action still applies.',
    'edit',
  ],
  no_approver: [
    'bad',
    null,
    `${nothingChangedText} A policy asks for a second person, and nobody else holds the role.`,
    'none',
  ],
  not_approved: [
    'held',
    null,
    `${nothingChangedText} Review the current record. You can request it again.`,
    'none',
  ],
  answer_not_kept: [
    'held',
    null,
    'The action happened once and was not repeated. Review the current record.',
    'none',
  ],
  service_refused: ['bad', null, 'The payments service rejected this. Nothing changed.', 'edit'],
  service_conflict: [
    'bad',
    null,
    'The payments service rejected this. Review the current record.',
    'edit',
  ],
  service_not_found: [
    'bad',
    null,
    'Nothing changed. The record may belong to another account.',
    'none',
  ],
  service_key_refused: [
    'bad',
    null,
    'Nothing changed. No action is possible in this environment until an admin replaces the API key. You stay signed in.',
    'none',
  ],
  service_forbidden: [
    'bad',
    null,
    'Nothing changed. Give the IDs below to an admin: the API key lacks this permission.',
    'none',
  ],
  service_busy: [
    'held',
    null,
    `${nothingChangedText} The payments service asked for a pause. Try again in a moment.`,
    'edit',
  ],
  service_failed: [
    'unknown',
    'Outcome unknown',
    'The answer could not be read. Do not repeat the action elsewhere.',
    'check',
  ],
  not_sent: [
    'held',
    'Not sent',
    'Paydesk sent nothing, so nothing changed. You can try again.',
    'edit',
  ],
  outcome_unknown: [
    'unknown',
    'Outcome unknown',
    'The action may or may not have happened. Do not repeat it elsewhere: Paydesk checks the same request under its own key.',
    'check',
  ],
  needs_human: [
    'unknown',
    'Decision needed',
    'The outcome could not be confirmed in time. Ask the provider, using the IDs below.',
    'person',
  ],
  unavailable: ['held', null, `${nothingChangedText} Try again in a moment.`, 'edit'],
  internal: [
    'unknown',
    'Something went wrong on our side',
    'Try again: it can’t be sent twice.',
    'resend',
  ],
}

const urgentRecoverySteps: readonly RecoveryStep[] = [
  'check',
  'resend',
  'person',
  'start_over',
  'sign_in',
]

/**
 * Returns the texts of an outcome. If people decided the action, or if it was applied or awaits
 * approval, the action's state determines the texts. Otherwise the error code does.
 */
export function toOutcomeWords(outcome: Outcome): OutcomeWords {
  if (outcome.action?.decided) return toDecidedWords(outcome.action.decided)
  const actionState = outcome.action?.state ?? (outcome.error ? null : 'applied')
  const stateWords = toSettledWords(outcome, actionState)
  if (stateWords) return stateWords
  const outcomeCode = getOutcomeCode(outcome, actionState)
  const [tone, title, text, next] =
    outcomeCode === 'outcome_unknown' && !outcome.action
      ? lostRequestWords
      : outcomeWordsByCode[outcomeCode]
  const error = outcome.action?.error ?? outcome.error
  return {
    tone,
    title: title ?? error?.title ?? 'The action failed',
    text,
    next,
    urgent: urgentRecoverySteps.includes(next) || tone === 'bad',
  }
}

function toSettledWords(outcome: Outcome, state: ActionState | null): OutcomeWords | null {
  const errorCode = outcome.error?.code
  if (state === 'awaiting_approval')
    return errorCode === 'action_open' ? null : awaitingApprovalWords
  return state === 'applied' && errorCode !== 'answer_not_kept' ? toAppliedWords(outcome) : null
}

/** Without a response the browser knows no action to check: the person sends the request again. */
const lostRequestWords: OutcomeWordsTuple = [
  'unknown',
  'We don’t know if this went through',
  'Try again: it can’t be sent twice.',
  'resend',
]

const codeByState: Partial<Record<ActionState, ErrorCode>> = {
  sending: 'in_progress',
  unknown: 'outcome_unknown',
  needs_human: 'needs_human',
}

function getOutcomeCode({ action, error }: Outcome, state: ActionState | null): ErrorCode {
  // With `action_open`, `action` is another action that is still open. The text must describe the
  // refusal of this request, not the state of that action.
  if (
    error &&
    (error.code === 'action_open' ||
      error.code === 'answer_not_kept' ||
      state === null ||
      state === 'refused')
  )
    return error.code
  return (state && codeByState[state]) ?? action?.error?.code ?? error?.code ?? 'internal'
}

/** These texts must not read like a confirmation by the service. */
function toDecidedWords({ outcome, by }: NonNullable<ActionView['decided']>): OutcomeWords {
  const title = outcome === 'applied' ? 'Marked as carried out' : 'Marked as not carried out'
  const text = `${by} decided this on evidence kept with the action. The service did not confirm the outcome: check the record before you continue.`
  return { tone: 'held', title, text, next: 'none', urgent: false }
}

const awaitingApprovalWords: OutcomeWords = {
  tone: 'held',
  title: 'Awaiting approval',
  text: 'A second person has 24 hours to approve. The request is sent when they do.',
  next: 'none',
  urgent: false,
}

/** Shown only if the response that contains the credential was lost. */
const lostCredentialWords: OutcomeWords = {
  tone: 'held',
  title: 'Started, but the answer was lost',
  text: 'The answer is given only once. Try again to start a new connection; nothing is created twice.',
  next: 'none',
  urgent: false,
}

function toAppliedWords({ operation, action, replayed, done }: Outcome): OutcomeWords {
  const definition = getServiceOperation(action?.operation ?? operation)
  if (definition.credential) return lostCredentialWords
  const title = done ?? definition.done ?? 'Done'
  if (action?.effect_verified === false) {
    const unverifiedText =
      'The service answered, but the latest history entry is from another action. Check the timeline before you continue.'
    return {
      tone: 'held',
      title: 'The status changed, but not by this action',
      text: unverifiedText,
      next: 'none',
      urgent: true,
    }
  }
  const replayNote =
    replayed || action?.replayed
      ? 'This is the answer to the first attempt. The action happened once. '
      : ''
  const confirmationText = action?.effect_verified
    ? 'Confirmed in the provider’s history.'
    : 'The payments service confirmed it.'
  return {
    tone: 'good',
    title,
    text: `${replayNote}${confirmationText}`,
    next: 'none',
    urgent: false,
  }
}
