const drafts = new Map<string, unknown>()

/**
 * Returns unsent input; undefined if there is none. A draft lasts as long as the page: it survives an error, a closed panel and a new
 * sign-in in place. It is in memory only: a reason may name a customer, and browser storage must hold no personal data.
 */
export const readDraft = <T>(name: string): T | undefined => drafts.get(name) as T | undefined

/** Keeps a draft under a name, for example `payouts.release/<id>`. */
export const keepDraft = <T>(name: string, value: T): void => void drafts.set(name, value)

/** Deletes a draft after it was sent and settled, or discarded. */
export const dropDraft = (name: string): void => void drafts.delete(name)

/**
 * Returns a new idempotency key: `pdk_` and 32 hex digits. Its 36 characters are within the 10 to 40 of the interface document
 * ("Idempotency"). Create one when a form opens and keep it until the outcome is known.
 */
export const newIdempotencyKey = (): string => `pdk_${newUuid().replaceAll('-', '')}`

/** Returns a new Correlation-Id. Each review, that is each opened detail, needs its own. */
export const newCorrelationId = (): string => newUuid()

/** Shortens a key for a line of text to its first eight and last four characters. */
export const shortKey = (key: string): string => (key.length <= 14 ? key : `${key.slice(0, 8)}…${key.slice(-4)}`)

/** `crypto.randomUUID` exists in secure contexts only. Paydesk on a plain HTTP host of a private network needs keys too. */
function newUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
