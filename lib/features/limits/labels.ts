import type { DecisionReason } from '@/lib/domain/reasons'

/** The service accepts no reason, so it stays in Paydesk, for later contact with the provider. */
export const limitReasons: readonly DecisionReason[] = [
  {
    code: 'VOLUME_GROWTH',
    label: 'Business growth',
    template: 'The account’s volume has outgrown its limits.',
  },
  {
    code: 'SEASONAL_PEAK',
    label: 'Seasonal peak',
    template: 'The account expects a seasonal increase in payments.',
  },
  {
    code: 'LARGE_PAYMENT',
    label: 'Single large payment',
    template: 'A planned payment is larger than the limit allows.',
  },
  {
    code: 'NEW_PRODUCT',
    label: 'New product',
    template: 'The account starts a product with different payment amounts.',
  },
  {
    code: 'LIMIT_TOO_WIDE',
    label: 'Limits higher than needed',
    template: 'The account’s volume is far below its limits.',
  },
  {
    code: 'CORRECTION',
    label: 'Limits set incorrectly',
    template: 'The limits in force differ from the agreed limits.',
  },
]

/** `from` is undefined if there is no current limit. */
type RequestedLimit = { from: number | undefined; to: number }

/** Leaves out the reasons to raise limits if all are lowered, and the reason to lower them if none is. */
export function listLimitReasons(changes: readonly RequestedLimit[]): readonly DecisionReason[] {
  const isAnyLowered = changes.some(({ from, to }) => from !== undefined && to < from)
  const isAnyRaised = changes.some(({ from, to }) => from === undefined || to > from)
  return limitReasons.filter(({ code }) => {
    if (code === 'CORRECTION' || changes.length === 0) return true
    return code === 'LIMIT_TOO_WIDE' ? isAnyLowered : isAnyRaised
  })
}

/** Maximum length of a reason together with its code (see `reason.schema`). */
const maxReasonLength = 300

export function appendIncreaseExplanation(text: string, increaseExplanation: string): string {
  const explanationText = increaseExplanation.replace(/\s+/g, ' ').trim()
  return explanationText === ''
    ? text
    : `${text.trim()} Reason for the large increase: ${explanationText}`
}

export function findExplanationFault(
  text: string,
  increaseExplanation: string,
  largeIncreaseCount: number,
): string | null {
  if (largeIncreaseCount === 0) return null
  if (increaseExplanation.trim().length < 20)
    return 'explain why the limit must increase more than threefold'
  const excessLength =
    appendIncreaseExplanation(text, increaseExplanation).length + 20 - maxReasonLength
  return excessLength > 0
    ? `is ${excessLength} characters too long together with the note above`
    : null
}
