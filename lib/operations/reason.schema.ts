import * as z from 'zod'

const missingReasonText = 'Choose a reason and add a note.'

/**
 * A code of `decisionReasons` (`lib/domain/reasons`), a colon and a sentence. The service does not
 * document whether it requires a reason. We do, because it adds the reason to the object's history.
 */
export const decisionReasonInput = z
  .string({ error: missingReasonText })
  .trim()
  .regex(/^[A-Z][A-Z_]{2,39}: \S/, missingReasonText)
  .min(20, 'Explain in more detail.')
  .max(300, 'Must be at most 300 characters.')
