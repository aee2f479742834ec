const drafts = new Map<string, unknown>()

/**
 * Returns the unsent input of a form; undefined if there is none. A draft exists as long as the
 * page is loaded: it is still there after an error, after a panel was closed, and after a new
 * sign-in on the page. It is stored only in memory: the text may name a customer, and browser
 * storage must contain no personal data.
 */
export const readDraft = <T>(name: string): T | undefined => drafts.get(name) as T | undefined

/** Stores a draft under a name, for example `payouts.release/<id>`. */
export const saveDraft = <T>(name: string, value: T): void => void drafts.set(name, value)

/** Deletes a draft. Call it when its request is settled, or when the person discards it. */
export const deleteDraft = (name: string): void => void drafts.delete(name)

/**
 * Returns a new idempotency key: `pdk_` and 32 hexadecimal digits. The interface document permits
 * 10 to 40 characters ("Idempotency"). Create one key when a form opens, and use it for all
 * attempts until the outcome is known.
 */
export const newIdempotencyKey = (): string => `pdk_${newUuid().replaceAll('-', '')}`

/**
 * Returns a new Correlation-Id, which links all requests of one review of a record. Create one each
 * time a record is opened.
 */
export const newCorrelationId = (): string => newUuid()

/**
 * Returns a short form of an idempotency key for display: its first eight and last four characters.
 */
export const shortenKey = (key: string): string =>
  key.length <= 14 ? key : `${key.slice(0, 8)}…${key.slice(-4)}`

/**
 * Returns a random UUID. `crypto.randomUUID` exists only in secure contexts, but Paydesk may run
 * over plain HTTP in a private network.
 */
export function newUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}
