import * as z from 'zod'

const missingReasonText = 'Choose a reason and add a note.'

/**
 * The reason of a status change: a code of `decisionReasons` (`lib/domain/reasons`), a colon and a
 * sentence. The service accepts any text, and does not document whether it requires one. We require
 * a reason, because the service adds it to the history of the object.
 */
export const decisionReasonInput = z
  .string({ error: missingReasonText })
  .trim()
  .regex(/^[A-Z][A-Z_]{2,39}: \S/, missingReasonText)
  .min(20, 'Explain in more detail.')
  .max(300, 'Must be at most 300 characters.')
