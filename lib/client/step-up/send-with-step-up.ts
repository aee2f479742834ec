import { CallError } from '@/lib/client/call-error'
import type { StepUpPrompt, StepUpPrompter, StepUpResult } from './prompt'

type PendingPrompt = { question: StepUpPrompt; ask: StepUpPrompter }

let pendingDialog: Promise<StepUpResult> | null = null

/**
 * Shows a step-up dialog and returns its result. Only one dialog is open at a time. If one is
 * already open, waits for its end and returns `resend`: the caller sends its request again, because
 * the proof of the other dialog may be enough.
 */
async function showOneDialog({ ask, question }: PendingPrompt): Promise<StepUpResult | 'resend'> {
  if (pendingDialog) {
    await pendingDialog
    return 'resend'
  }
  pendingDialog = ask(question)
  try {
    return await pendingDialog
  } finally {
    pendingDialog = null
  }
}

const createNotConfirmedError = () =>
  new CallError('step_up_needed', 'Not confirmed. Nothing was sent.', { local: true })

const parseEnvironment = (url: string): string => /^\/api\/([a-z]+)\//.exec(url)?.[1] ?? ''

/**
 * Returns the headers with which the request is sent again. Throws `step_up_needed` if the person
 * canceled the dialog.
 */
function toStepUpHeaders(answered: StepUpResult | 'resend'): Record<string, string> {
  if (answered === null) throw createNotConfirmedError()
  return typeof answered === 'string' ? {} : { 'Step-Up': answered.proof }
}

/**
 * Returns the step-up dialog that the error of a request requires. Rethrows the error if it does
 * not require one.
 */
function toPendingPrompt(
  cause: unknown,
  environment: string,
  isAgain: boolean,
  ask: StepUpPrompter,
): PendingPrompt {
  if (!(cause instanceof CallError) || !cause.stepUp) throw cause
  return { question: { asked: cause.stepUp, detail: cause.message, environment, isAgain }, ask }
}

/**
 * Continues a request that the API refused because it requires a step-up proof. Shows the dialog
 * and sends the request again, as often as the API requires. Throws the errors of `send`.
 */
export async function sendWithStepUp<T>(
  url: string,
  send: (headers: Record<string, string>) => Promise<T>,
  { refused, ask }: { refused: unknown; ask: StepUpPrompter },
): Promise<T> {
  let cause = refused
  let isAgain = false
  for (;;) {
    const dialogResult = await showOneDialog(
      toPendingPrompt(cause, parseEnvironment(url), isAgain, ask),
    )
    isAgain = dialogResult === 'again'
    const retryResult = await send(toStepUpHeaders(dialogResult)).then(
      (done) => ({ done }),
      (thrown: unknown) => ({ thrown }),
    )
    if ('done' in retryResult) return retryResult.done
    cause = retryResult.thrown
  }
}
