import * as z from 'zod'

const empty = 'Choose a reason and add a note'

/**
 * Why a status is changed: a code of `lib/domain/reasons/decision-reasons`, a colon and a sentence. The service takes any text and does not say
 * whether one is needed; we need one, because it is recorded as the reason of the status change.
 */
export const reason = z
  .string({ error: empty })
  .trim()
  .regex(/^[A-Z][A-Z_]{2,39}: \S/, empty)
  .min(20, 'explain in more detail')
  .max(300, 'must be at most 300 characters')
