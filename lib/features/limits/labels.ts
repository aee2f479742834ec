import type { DecisionReason } from '@/lib/domain/reasons'

/** Reasons offered for a limit request. The service accepts none: the reason stays in Paydesk, to contact the compliance team later. */
export const limitReasons: readonly DecisionReason[] = [
  { code: 'VOLUME_GROWTH', label: 'Business growth', template: 'The account’s volume has outgrown its limits.' },
  { code: 'SEASONAL_PEAK', label: 'Seasonal peak', template: 'The account expects a seasonal increase in payments.' },
  { code: 'LARGE_PAYMENT', label: 'Single large payment', template: 'A planned payment is larger than the limit allows.' },
  { code: 'NEW_PRODUCT', label: 'New product', template: 'The account starts a product with different payment amounts.' },
  { code: 'LIMIT_TOO_WIDE', label: 'Limits higher than needed', template: 'The account’s volume is far below its limits.' },
  { code: 'CORRECTION', label: 'Limits set incorrectly', template: 'The limits in force differ from the agreed limits.' },
]

/** Maximum length of a reason together with its code (see `reason.schema`). */
const maxReasonLength = 300

/** Returns the reason with the explanation of a large increase appended, if there is one. */
export function appendJump(text: string, jump: string): string {
  const jumpText = jump.replace(/\s+/g, ' ').trim()
  return jumpText === '' ? text : `${text.trim()} Reason for the large increase: ${jumpText}`
}

/** Returns the error in the explanation of a large increase; null if no explanation is needed or it is valid. */
export function findJumpFault(text: string, jump: string, jumps: number): string | null {
  if (jumps === 0) return null
  if (jump.trim().length < 20) return 'explain why the limit must increase more than threefold'
  const excessLength = appendJump(text, jump).length + 20 - maxReasonLength
  return excessLength > 0 ? `is ${excessLength} characters too long together with the note above` : null
}
