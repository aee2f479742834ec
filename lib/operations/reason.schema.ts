import * as z from 'zod'

/**
 * Why a status is changed: a code of `lib/domain/decision-reasons`, a colon and a sentence. The service takes any text and does not say
 * whether one is needed; we need one, because it is recorded as the reason of the status change.
 */
export const reason = z
  .string({ error: 'say why: a reason code and a sentence' })
  .trim()
  .regex(/^[A-Z][A-Z_]{2,39}: \S/, 'must begin with a reason code, a colon and a space, then a sentence')
  .min(20, 'say why in a few more words')
  .max(300, 'must be at most 300 characters')
