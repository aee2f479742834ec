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
