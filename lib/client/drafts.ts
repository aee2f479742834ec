const drafts = new Map<string, unknown>()

/**
 * Drafts exist only in memory: the text may name a customer, and browser storage must contain no
 * personal data. They survive errors, closed panels, and a new sign-in on the page.
 */
export const readDraft = <T>(name: string): T | undefined => drafts.get(name) as T | undefined

/** Stores a draft under a name, for example `payouts.release/<id>`. */
export const saveDraft = <T>(name: string, value: T): void => void drafts.set(name, value)

/** Deletes a draft. Call it when its request is settled, or when the person discards it. */
export const deleteDraft = (name: string): void => void drafts.delete(name)

/**
 * Create one key when a form opens, and use it for all attempts until the outcome is known. The
 * interface document permits 10 to 40 characters ("Idempotency").
 */
export const createIdempotencyKey = (): string => `pdk_${createUuid().replaceAll('-', '')}`

/** Links all requests of one review of a record. Create one each time a record is opened. */
export const createCorrelationId = (): string => createUuid()

export const shortenIdempotencyKey = (key: string): string =>
  key.length <= 14 ? key : `${key.slice(0, 8)}…${key.slice(-4)}`

/** `crypto.randomUUID` needs a secure context, but Paydesk may run over plain HTTP. */
export function createUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const uuidBytes = crypto.getRandomValues(new Uint8Array(16))
  uuidBytes[6] = ((uuidBytes[6] ?? 0) & 0x0f) | 0x40
  uuidBytes[8] = ((uuidBytes[8] ?? 0) & 0x3f) | 0x80
  const uuidHex = [...uuidBytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [
    uuidHex.slice(0, 8),
    uuidHex.slice(8, 12),
    uuidHex.slice(12, 16),
    uuidHex.slice(16, 20),
    uuidHex.slice(20),
  ].join('-')
}
