const drafts = new Map<string, unknown>()

/**
 * What somebody has typed and not sent, kept for as long as the page lives: it outlasts an error, a closed panel and a new sign-in in place.
 * Memory only, because a reason may name a customer and nothing personal goes into the browser's storage. Undefined where nothing is kept.
 */
export const readDraft = <T>(name: string): T | undefined => drafts.get(name) as T | undefined

/** Keeps a draft under a name, for example `payouts.release/<id>`. */
export const keepDraft = <T>(name: string, value: T): void => void drafts.set(name, value)

/** Forgets a draft, once it was sent and settled or was thrown away. */
export const dropDraft = (name: string): void => void drafts.delete(name)

/**
 * A fresh idempotency key: `pdk_` and 32 hex, 36 characters, inside the 10 to 40 the interface document asks for ("Idempotency"). Mint one when
 * a form opens and keep it for as long as the outcome is not known.
 */
export const newIdempotencyKey = (): string => `pdk_${newUuid().replaceAll('-', '')}`

/** A fresh Correlation-Id: one for each review, that is for each opened detail. */
export const newCorrelationId = (): string => newUuid()

/** A key short enough for a line of text: its first eight and last four characters. */
export const shortKey = (key: string): string => (key.length <= 14 ? key : `${key.slice(0, 8)}…${key.slice(-4)}`)

/** `crypto.randomUUID` exists in secure contexts only; a desk on a plain-http host name of a private network still needs keys. */
function newUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
