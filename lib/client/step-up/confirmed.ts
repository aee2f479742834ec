import { CallError } from '@/lib/client/call-error'
import { askerHere } from './question'

/**
 * Sends a request. If the API requires a proof, prompts the person and sends the same request again. Throws the errors of `send`, and
 * `step_up_needed` if the person did not confirm: nothing was done then.
 */
export async function confirmed<T>(url: string, send: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  try {
    return await send({})
  } catch (refused) {
    const ask = askerHere()
    if (!(refused instanceof CallError) || !refused.stepUp || !ask) throw refused
    // If the import fails, for example offline, no prompt is possible. The refused request did nothing.
    const { sendConfirmed } = await import('./again').catch(() => Promise.reject(refused))
    return sendConfirmed(url, send, { refused, ask })
  }
}
