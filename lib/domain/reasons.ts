import { capitalizeFirst } from '@/lib/formats'
import { type DecisionReason, decisionReasons } from './payment-reasons'

export type { DecisionReason }

/** One line, as it is sent and stored: `FALSE_POSITIVE: The finding was reviewed.` */
export function composeReason(code: string, text: string): string {
  return `${code}: ${text.replace(/\s+/g, ' ').trim()}`
}

/** Null for text that does not have the form `CODE: text`. */
export function parseReason(reason: string): { code: string; text: string } | null {
  const match = /^([A-Z][A-Z_]{2,39}): (\S.*)$/s.exec(reason)
  return match ? { code: match[1] ?? '', text: match[2] ?? '' } : null
}

/** `False alarm: The finding was reviewed.` Text in another form is returned unchanged. */
export function formatReason(reason: string): string {
  const parsedReason = parseReason(reason)
  if (!parsedReason) return reason
  const allReasons = [
    ...Object.values(decisionReasons).flat(),
    ...Object.values(dataChangeReasons),
    ...revealReasons,
  ]
  const reasonLabel =
    allReasons.find(({ code }) => code === parsedReason.code)?.label ??
    capitalizeFirst(parsedReason.code.toLowerCase().replaceAll('_', ' '))
  return `${reasonLabel}: ${parsedReason.text}`
}

/** `id` is the kind of data, so a confirmed warning stays confirmed while the text changes. */
type ReasonWarning = { id: 'email' | 'phone' | 'digits' | 'name'; text: string }

const personalDataPatterns: readonly { id: ReasonWarning['id']; pattern: RegExp; text: string }[] =
  [
    { id: 'email', pattern: /\S+@\S+\.\S+/, text: 'The text seems to contain an email address.' },
    {
      id: 'phone',
      pattern: /(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/,
      text: 'The text seems to contain a phone number.',
    },
    {
      id: 'digits',
      pattern: /\d{6,}/,
      text: 'The text contains a long number; account and identity numbers do not belong here.',
    },
  ]

/**
 * Warns about personal data, because the service stores the text permanently. `names`: the names of
 * the customer on the screen.
 */
export function findReasonWarnings(
  text: string,
  names: readonly (string | undefined)[] = [],
): ReasonWarning[] {
  const warnings: ReasonWarning[] = personalDataPatterns
    .filter((look) => look.pattern.test(text))
    .map(({ id, text }) => ({ id, text }))
  const nameWords = names
    .flatMap((name) => (name ?? '').split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= 3 && !commonWords.has(part.toLowerCase()))
  const lowerCaseText = text.toLowerCase()
  const hasName = nameWords.some((part) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${part.toLowerCase()}(?![\\p{L}\\p{N}])`, 'u').test(
      lowerCaseText,
    ),
  )
  return hasName
    ? [...warnings, { id: 'name', text: 'The text contains part of the customer’s name.' }]
    : warnings
}

/**
 * Words of a name that cause no warning: frequent false warnings would train people to confirm
 * without reading.
 */
const commonWords = new Set([
  'and',
  'the',
  'inc',
  'llc',
  'ltd',
  'group',
  'service',
  'services',
  'company',
  'bank',
  'account',
  'customer',
  'payout',
  'proof',
  'for',
])

/** The service accepts no reason for a change, so only the action log stores it. */
export const dataChangeReasons = {
  corrected: {
    code: 'DATA_CORRECTED',
    label: 'Entry error corrected',
    template: 'An entry error in the record was corrected.',
  },
  documents: {
    code: 'DOCUMENTS_CHECKED',
    label: 'Confirmed by documents',
    template: 'The new details were compared with the documents received.',
  },
  verification: {
    code: 'VERIFICATION_REQUEST',
    label: 'Requested for verification',
    template: 'The verification asked for corrected details.',
  },
  metadata: {
    code: 'METADATA_UPDATED',
    label: 'Metadata updated',
    template: 'The metadata was updated to match our own records.',
  },
} satisfies Record<string, DecisionReason>

/**
 * Reasons to reveal masked data. The service never gets them: the audit log stores the code, and a
 * hash of the text.
 */
export const revealReasons: readonly DecisionReason[] = [
  {
    code: 'IDENTITY_CHECK',
    label: 'Identity check',
    template: 'Comparison with the documents received.',
  },
  {
    code: 'CUSTOMER_CONTACT',
    label: 'Contact customer',
    template: 'The customer must be contacted about an open case.',
  },
  {
    code: 'BANK_ENQUIRY',
    label: 'Bank inquiry',
    template: 'A bank inquiry requires the full numbers.',
  },
  { code: 'FRAUD_REVIEW', label: 'Suspected fraud', template: 'Investigation of suspected fraud.' },
  { code: 'SUPPORT_CASE', label: 'Support case', template: 'Needed for a support case.' },
  {
    code: 'DATA_SUBJECT_REQUEST',
    label: 'Data subject request',
    template: 'The person requested the stored data.',
  },
  {
    code: 'REGULATOR_ORDER',
    label: 'Regulator request',
    template: 'Requested by a regulator or a court.',
  },
]
