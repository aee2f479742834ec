import 'server-only'
import { AppError } from '@/lib/errors'

/** How long a body may take to arrive (milliseconds). */
const patience = 30_000

/** So much of a body that is too large is still heard out (bytes), because who is cut off while sending never hears why. */
const heardOut = 2 ** 20

/** A refusal that leaves a body half read: its connection is no longer usable, and the answer has to say so. */
export class BodyLeftUnread extends AppError {}

const tooLarge = (maxBytes: number) => `The body must be at most ${maxBytes} bytes`
const tooSlow = () =>
  new BodyLeftUnread('too_slow', 'The body took too long to arrive. Nothing was done: check the connection and try again')
const cutOff = (cause: unknown) => new BodyLeftUnread('bad_request', 'The body was cut off before its end', { cause })

/** Collects what arrives up to `maxBytes`; what comes after is only counted. */
async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => Promise.reject(cutOff(error)))
    if (done) break
    size += value.length
    if (size > maxBytes + heardOut) throw new BodyLeftUnread('too_large', tooLarge(maxBytes))
    if (size <= maxBytes) parts.push(value)
  }
  if (size > maxBytes) throw new AppError('too_large', tooLarge(maxBytes))
  return Buffer.concat(parts).toString()
}

/**
 * The body of a request as text, counted while it arrives: what `Content-Length` says is believed only where it says too much. Throws
 * `too_large` and `too_slow`, after which the rest may stay unread (cancelling the stream would cut the connection before the answer), and
 * `bad_request` where the sender went away.
 */
export async function readCapped(request: Request, maxBytes: number, ms = patience): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new AppError('too_large', tooLarge(maxBytes))
  if (!request.body) return ''
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), ms)
  })
  const whole = collect(request.body.getReader(), maxBytes)
  // Left behind by the clock it fails later, when the connection is closed.
  whole.catch(() => undefined)
  return Promise.race([whole, late]).finally(() => clearTimeout(timer))
}
