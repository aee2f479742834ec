import { capitalizeFirst } from '@/lib/formats'
import type { PaymentAction } from './payment-rules'

export type PaymentDecision = Exclude<PaymentAction, 'authorize' | 'update'>

export type DecisionReason = { code: string; label: string; template: string }

const doubtfulPaymentReasons: DecisionReason[] = [
  {
    code: 'PROOF_MISSING',
    label: 'Missing proof',
    template: 'No authorization proof is on file yet.',
  },
  {
    code: 'PROOF_UNCLEAR',
    label: 'Unclear proof',
    template: 'The proof on file does not show what was authorized.',
  },
  {
    code: 'DUPLICATE_SUSPECTED',
    label: 'Possible duplicate',
    template: 'The same amount was paid on the same bank account before.',
  },
  {
    code: 'NAME_MISMATCH',
    label: 'Names do not match',
    template: 'The account holder is not the customer on record.',
  },
  { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal needs review first.' },
]

/**
 * For a release, hold or cancellation, the text is sent to the service as `reason`; otherwise only
 * the action log stores it. It must not contain personal data.
 */
export const decisionReasons: Record<PaymentDecision, readonly DecisionReason[]> = {
  release: [
    {
      code: 'AUTH_PROOF_OK',
      label: 'Authorization proof checked',
      template: 'Authorization proof was received and checked.',
    },
    {
      code: 'LIMIT_ACCEPTED_ONCE',
      label: 'Over the limit, accepted once',
      template: 'The amount over the limit was accepted for this payment.',
    },
    {
      code: 'FALSE_POSITIVE',
      label: 'False alarm',
      template: 'The finding was reviewed and is a false alarm.',
    },
    {
      code: 'CUSTOMER_CONFIRMED',
      label: 'Customer confirmed',
      template: 'The customer confirmed the payment through a known channel.',
    },
    {
      code: 'INTERNAL_HOLD_LIFTED',
      label: 'Our own hold no longer needed',
      template: 'The reason for our own hold no longer applies.',
    },
  ],
  hold: doubtfulPaymentReasons,
  cancel: [
    ...doubtfulPaymentReasons,
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer asked to stop this payment.',
    },
    {
      code: 'CREATED_IN_ERROR',
      label: 'Created in error',
      template: 'The payment was created by mistake.',
    },
  ],
  resubmit: [
    {
      code: 'FUNDS_EXPECTED',
      label: 'Funds available now',
      template: 'The customer says that funds are now available.',
    },
    {
      code: 'NEW_AUTHORIZATION',
      label: 'New authorization',
      template: 'A new authorization of the customer is on file.',
    },
    {
      code: 'CAUSE_MENDED',
      label: 'Cause fixed',
      template: 'The cause of the first failure was fixed.',
    },
    {
      code: 'CANCELLED_IN_ERROR',
      label: 'Canceled in error',
      template: 'The first payment was canceled by mistake.',
    },
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer asked for a resubmission.',
    },
  ],
  refund: [
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer asked for a refund.',
    },
    {
      code: 'NOT_DELIVERED',
      label: 'Not delivered',
      template: 'The goods or services were not delivered.',
    },
    {
      code: 'CHARGED_IN_ERROR',
      label: 'Charged in error',
      template: 'The charge was made by mistake.',
    },
    {
      code: 'DUPLICATE_CHARGE',
      label: 'Charged twice',
      template: 'The same purchase was charged twice.',
    },
    { code: 'GOODWILL', label: 'Goodwill', template: 'Refunded as a gesture of goodwill.' },
  ],
}

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
