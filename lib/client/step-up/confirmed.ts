import { CallError } from '@/lib/client/call-error'
import { askerHere } from './question'

/**
 * Sends a request, and where it asks for a proof, asks the person and sends the same again. Throws what sending throws, and `step_up_needed` where the person
 * did not confirm: nothing was done then.
 */
export async function confirmed<T>(url: string, send: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  try {
    return await send({})
  } catch (refused) {
    const ask = askerHere()
    if (!(refused instanceof CallError) || !refused.stepUp || !ask) throw refused
    // Without the line nothing can be asked either, and nothing was done.
    const { sendConfirmed } = await import('./again').catch(() => Promise.reject(refused))
    return sendConfirmed(url, send, { refused, ask })
  }
}
