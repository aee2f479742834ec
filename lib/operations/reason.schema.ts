import * as z from 'zod'

const missingReasonText = 'Choose a reason and add a note.'

/**
 * A code of `decisionReasons` (`lib/domain/reasons`), a colon and a sentence. Paydesk requires a
 * reason, because the service adds it to the object's history. It is not documented if the service
 * requires one.
 */
export const decisionReasonInput = z
  .string({ error: missingReasonText })
  .trim()
  .regex(/^[A-Z][A-Z_]{2,39}: \S/, missingReasonText)
  .min(20, 'Explain in more detail.')
  .max(300, 'Must be at most 300 characters.')
