import { CallError } from '@/lib/client/call-error'
import type { StepUpPrompt, StepUpPrompter, StepUpResult } from './prompt'

type PendingPrompt = { question: StepUpPrompt; ask: StepUpPrompter }

let pendingDialog: Promise<StepUpResult> | null = null

/**
 * Only one dialog is open at a time. If one is already open, waits for its end and returns
 * `resend`, because the proof of that dialog may be enough.
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

/** Throws `step_up_needed` if the person canceled the dialog. */
function toStepUpHeaders(promptResult: StepUpResult | 'resend'): Record<string, string> {
  if (promptResult === null) throw createNotConfirmedError()
  return typeof promptResult === 'string' ? {} : { 'Step-Up': promptResult.proof }
}

/** Rethrows the error if it requires no step-up. */
function toPendingPrompt(
  cause: unknown,
  environment: string,
  isAgain: boolean,
  ask: StepUpPrompter,
): PendingPrompt {
  if (!(cause instanceof CallError) || !cause.stepUp) throw cause
  return { question: { asked: cause.stepUp, detail: cause.message, environment, isAgain }, ask }
}

/** Repeats the request as often as the API requires a proof. Throws the errors of `send`. */
export async function sendWithStepUp<T>(
  url: string,
  send: (headers: Record<string, string>) => Promise<T>,
  { refused, ask }: { refused: unknown; ask: StepUpPrompter },
): Promise<T> {
  let latestRefusal = refused
  let isRepeatedPrompt = false
  for (;;) {
    const dialogResult = await showOneDialog(
      toPendingPrompt(latestRefusal, parseEnvironment(url), isRepeatedPrompt, ask),
    )
    isRepeatedPrompt = dialogResult === 'again'
    const retryResult = await send(toStepUpHeaders(dialogResult)).then(
      (done) => ({ done }),
      (thrown: unknown) => ({ thrown }),
    )
    if ('done' in retryResult) return retryResult.done
    latestRefusal = retryResult.thrown
  }
}
