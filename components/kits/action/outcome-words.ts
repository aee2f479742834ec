import type { Tone } from '@/components/ui/tone'
import type { ErrorCode } from '@/lib/errors'
import type { ActionState, ActionView } from '@/lib/operations/answer'
import { rowOf } from '@/lib/operations/rows'
import type { Outcome } from './outcome'

/** What a person may do next: mend and send, sign in, wait and check, send the same again, start over, or hand it on. */
export type Next = 'none' | 'edit' | 'sign_in' | 'check' | 'resend' | 'start_over' | 'person'

/** An outcome in words. `settled`: nothing is open any more. `urgent` interrupts a screen reader once. */
export type OutcomeWords = { tone: Tone; title: string; text: string; next: Next; urgent: boolean }

const nothingSent = 'Nothing was changed at the payments service.'

type Line = [tone: Tone, title: string | null, text: string, next: Next]

/** One line for each way a write can end; a null title is the error's own. The order is that of the answer matrix. */
const byCode: Record<ErrorCode, Line> = {
  bad_request: ['bad', null, `${nothingSent} Mend what is named and send again.`, 'edit'],
  invalid_input: ['bad', null, `${nothingSent} Mend what is named and send again.`, 'edit'],
  unauthenticated: [
    'held',
    'Your session ended',
    'Nothing was sent. Sign in here; what you typed is kept, and it is sent only when you press again.',
    'sign_in',
  ],
  forbidden: ['bad', null, `${nothingSent} An admin can grant the missing role.`, 'none'],
  other_site: ['bad', null, `${nothingSent} Open Paydesk at its own address and try there.`, 'none'],
  not_found: ['bad', null, `${nothingSent} Read it again.`, 'none'],
  method_not_allowed: ['bad', 'Internal fault', `${nothingSent} Please report it with the ids below.`, 'none'],
  too_slow: ['held', null, `${nothingSent} Check the connection, then send again.`, 'edit'],
  too_large: ['bad', null, `${nothingSent} Choose a smaller file.`, 'edit'],
  too_many: ['held', null, `${nothingSent} Wait a moment, then send again.`, 'edit'],
  key_reused: [
    'bad',
    'Safety stop: the key was used for another request',
    `${nothingSent} Read it again, then start over with a new key.`,
    'start_over',
  ],
  in_progress: ['unknown', 'The first attempt is still running', 'It keeps running; checking does not send it twice.', 'check'],
  action_open: [
    'unknown',
    'Another action on this is not settled yet',
    'Yours was not sent. It can be sent once the other one is settled.',
    'edit',
  ],
  changed: [
    'held',
    'This changed since you opened it',
    'Nothing was sent. Your text is kept; look at what is there now, then send again if it still fits.',
    'edit',
  ],
  answer_not_kept: ['held', null, 'It happened once, and nothing was done again. Look at what is there now.', 'none'],
  service_refused: ['bad', null, 'The service said no; nothing was changed.', 'edit'],
  service_conflict: ['bad', null, 'The service said no; look at what is there now.', 'edit'],
  service_not_found: ['bad', null, 'Nothing was changed. It may belong to another account.', 'none'],
  service_key_refused: [
    'bad',
    null,
    'Nothing was changed. All writes of this environment stop until an admin mends the key. You stay signed in.',
    'none',
  ],
  service_forbidden: ['bad', null, 'Nothing was changed. Give the ids below to an admin: the key lacks this permission.', 'none'],
  service_busy: ['held', null, `${nothingSent} It asked for a pause; send again in a moment.`, 'edit'],
  service_failed: ['unknown', 'Outcome unknown', 'The answer could not be read. Do not do it again elsewhere.', 'check'],
  not_sent: ['held', 'Not sent', 'Nothing left Paydesk, so nothing changed. You can send again.', 'edit'],
  outcome_unknown: [
    'unknown',
    'Outcome unknown',
    'It may or may not have happened. Do not do it again elsewhere: the same request is checked under its own key.',
    'check',
  ],
  needs_human: ['unknown', 'A person has to decide', 'It could not be confirmed in time. Ask the provider with the ids below.', 'person'],
  unavailable: ['held', null, `${nothingSent} Try again in a moment.`, 'edit'],
  internal: ['unknown', 'Something went wrong on our side', 'Sending again uses the same key, so nothing can happen twice.', 'resend'],
}

/** What was done, by the verb of the operation; where the verb says too little, by the operation. */
const doneVerbs: Readonly<Record<string, string>> = {
  release: 'Released',
  hold: 'Held',
  cancel: 'Cancelled',
  authorize: 'Document attached',
  create: 'Created',
  update: 'Saved',
  resubmit: 'Sent again as a new payment',
  refund: 'Refund created',
  decide: 'Decided',
  unblock: 'Unblocked',
  refresh_review: 'A new review was started',
  refresh_balance: 'The balance is being read anew',
  delete: 'Deleted for good',
  onboard: 'Onboarding started',
  simulate: 'Simulated',
  bank_account: 'Bank account connected',
  plaid: 'Bank account connected',
  quiltt: 'Bank account connected',
}

const doneText = (operation: ActionView['operation']) => doneVerbs[operation.slice(operation.indexOf('.') + 1)] ?? 'Done'

const urgentNext: readonly Next[] = ['check', 'resend', 'person', 'start_over', 'sign_in']

/** The words for an outcome: by the state of its action where it is settled or waiting, by the error otherwise. */
export function outcomeWords(outcome: Outcome): OutcomeWords {
  if (outcome.action?.decided) return decidedWords(outcome.action.decided)
  const state = outcome.action?.state ?? (outcome.error ? null : 'applied')
  if (state === 'applied' && outcome.error?.code !== 'answer_not_kept') return applied(outcome)
  const code = codeOf(outcome, state)
  const [tone, title, text, next] = code === 'outcome_unknown' && !outcome.action ? lost : byCode[code]
  const error = outcome.action?.error ?? outcome.error
  return { tone, title: title ?? error?.title ?? 'It did not work', text, next, urgent: urgentNext.includes(next) || tone === 'bad' }
}

/** Paydesk itself gave no answer, so there is no action to ask about yet. */
const lost: Line = [
  'unknown',
  'We do not know whether Paydesk got this',
  'Sending again uses the same key, so nothing can happen twice.',
  'resend',
]

const codeOfState: Partial<Record<ActionState, ErrorCode>> = {
  sending: 'in_progress',
  unknown: 'outcome_unknown',
  needs_human: 'needs_human',
}

function codeOf({ action, error }: Outcome, state: ActionState | null): ErrorCode {
  // An open action of somebody else comes with the refusal of ours: the refusal is what happened to us.
  if (error && (error.code === 'action_open' || error.code === 'answer_not_kept' || state === null || state === 'refused'))
    return error.code
  return (state && codeOfState[state]) ?? action?.error?.code ?? error?.code ?? 'internal'
}

/** The word of a person stands for what the service never said, and reads as that. */
function decidedWords({ outcome, by }: NonNullable<ActionView['decided']>): OutcomeWords {
  const title = outcome === 'applied' ? 'Decided: it was done' : 'Decided: it was not done'
  const text = `${by} said so on evidence that is kept with the action. The service did not confirm it: read the record before you go on.`
  return { tone: 'held', title, text, next: 'none', urgent: false }
}

/** Who got the answer in time goes on with it; these words are for everybody else. */
const missed: OutcomeWords = {
  tone: 'held',
  title: 'Started, but the answer was missed',
  text: 'It is told once only. Send again: that starts a new one, and nothing is made twice.',
  next: 'none',
  urgent: false,
}

function applied({ operation, action, replayed }: Outcome): OutcomeWords {
  if (rowOf(action?.operation ?? operation).credential) return missed
  const title = doneText(action?.operation ?? operation)
  if (action?.effect_verified === false) {
    const text = 'The service answered, but the newest entry of its history is not ours. Look at the timeline before anything else is done.'
    return { tone: 'held', title: 'The state changed, but not by this action', text, next: 'none', urgent: true }
  }
  const once = replayed || action?.replayed ? 'This is the answer to the first attempt: it happened once. ' : ''
  const proof = action?.effect_verified ? 'The service’s newest history entry is this one.' : 'The service confirmed it.'
  return { tone: 'good', title, text: `${once}${proof}`, next: 'none', urgent: false }
}
