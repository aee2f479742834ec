import { CallError } from '@/lib/client/call-error'
import { getStepUpPrompter } from './prompt'

/**
 * Sends a request. If the API requires a step-up proof, shows the dialog and sends the same request
 * again. Throws the errors of `send`, and `step_up_needed` if the person canceled the dialog: then
 * the request had no effect.
 */
export async function withStepUp<T>(
  url: string,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  try {
    return await send({})
  } catch (refused) {
    const stepUpPrompter = getStepUpPrompter()
    if (!(refused instanceof CallError) || !refused.stepUp || !stepUpPrompter) throw refused
    // If the import fails, for example offline, there is no dialog. Then the error of the refused
    // request is thrown; it changed nothing.
    const { sendWithStepUp: sendConfirmed } = await import('./send-with-step-up').catch(() =>
      Promise.reject(refused),
    )
    return sendConfirmed(url, send, { refused, ask: stepUpPrompter })
  }
}
