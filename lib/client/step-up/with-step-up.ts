import { CallError } from '@/lib/client/call-error'
import { getStepUpPrompter } from './prompt'

/** Throws `step_up_needed` if the person canceled the dialog: the request then had no effect. */
export async function withStepUp<T>(
  url: string,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  try {
    return await send({})
  } catch (refused) {
    const stepUpPrompter = getStepUpPrompter()
    if (!(refused instanceof CallError) || !refused.stepUp || !stepUpPrompter) throw refused
    // If the import fails, for example offline, throws the error of the refused request.
    const { sendWithStepUp: sendConfirmed } = await import('./send-with-step-up').catch(() =>
      Promise.reject(refused),
    )
    return sendConfirmed(url, send, { refused, ask: stepUpPrompter })
  }
}
