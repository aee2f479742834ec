import type { PaymentAction } from './payment-rules'

/** The actions that need a reason. */
export type Decision = Exclude<PaymentAction, 'authorize' | 'update'>

/** A reason a person may choose: its code, a name, and a sentence to begin from. */
export type DecisionReason = { code: string; label: string; template: string }

const doubts: DecisionReason[] = [
  { code: 'PROOF_MISSING', label: 'Proof is missing', template: 'No authorization proof is on file yet.' },
  { code: 'PROOF_UNCLEAR', label: 'Proof is unclear', template: 'The proof on file does not show what was agreed.' },
  { code: 'DUPLICATE_SUSPECTED', label: 'Looks like a duplicate', template: 'The same amount on the same bank account was seen before.' },
  { code: 'NAME_MISMATCH', label: 'Names do not match', template: 'The account holder is not the customer on record.' },
  { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal needs to be looked at first.' },
]

/**
 * The reasons offered for each decision. For a change of status the text is sent to the service as `reason`; for the others it stays in our
 * record. It never holds personal data.
 */
export const decisionReasons: Record<Decision, readonly DecisionReason[]> = {
  release: [
    { code: 'AUTH_PROOF_OK', label: 'Authorization proof is good', template: 'Authorization proof was received and checked.' },
    {
      code: 'LIMIT_ACCEPTED_ONCE',
      label: 'Over the limit, accepted once',
      template: 'The amount over the limit was accepted for this payment.',
    },
    { code: 'FALSE_POSITIVE', label: 'False alarm', template: 'The check was looked into and found to be a false alarm.' },
    { code: 'CUSTOMER_CONFIRMED', label: 'Customer confirmed', template: 'The customer confirmed the payment by a known channel.' },
    { code: 'INTERNAL_HOLD_LIFTED', label: 'Our own hold is lifted', template: 'The reason for our own hold no longer applies.' },
  ],
  hold: doubts,
  cancel: [
    ...doubts,
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer asked to stop this payment.' },
    { code: 'CREATED_IN_ERROR', label: 'Created in error', template: 'The payment was created by mistake.' },
  ],
  resubmit: [
    { code: 'FUNDS_EXPECTED', label: 'Money is there now', template: 'The customer says that the money is on the account now.' },
    { code: 'NEW_AUTHORISATION', label: 'New authorisation', template: 'A new authorisation of the customer is on file.' },
    { code: 'CAUSE_MENDED', label: 'The cause is mended', template: 'What stopped the first payment was mended.' },
    { code: 'CANCELLED_IN_ERROR', label: 'Cancelled in error', template: 'The first payment was cancelled by mistake.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer asked for another try.' },
  ],
  refund: [
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer asked for the money back.' },
    { code: 'NOT_DELIVERED', label: 'Not delivered', template: 'What was paid for was not delivered.' },
    { code: 'CHARGED_IN_ERROR', label: 'Charged in error', template: 'The charge was made by mistake.' },
    { code: 'DUPLICATE_CHARGE', label: 'Charged twice', template: 'The same purchase was charged twice.' },
    { code: 'GOODWILL', label: 'Goodwill', template: 'Paid back as a gesture of goodwill.' },
  ],
}

/** The text that is sent: the code, a colon and the sentence on one line. */
export function composeReason(code: string, text: string): string {
  return `${code}: ${text.replace(/\s+/g, ' ').trim()}`
}

/** Takes a sent reason apart; null where it was not written by this desk. */
export function parseReason(reason: string): { code: string; text: string } | null {
  const parts = /^([A-Z][A-Z_]{2,39}): (\S.*)$/s.exec(reason)
  return parts ? { code: parts[1] ?? '', text: parts[2] ?? '' } : null
}

/** Something in a reason that looks like personal data. `id` is stable, so that a tick given for it is kept while the text changes. */
export type ReasonWarning = { id: 'email' | 'phone' | 'digits' | 'name'; text: string }

const looks: readonly { id: ReasonWarning['id']; pattern: RegExp; text: string }[] = [
  { id: 'email', pattern: /\S+@\S+\.\S+/, text: 'The text looks like it holds an e-mail address.' },
  { id: 'phone', pattern: /(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/, text: 'The text looks like it holds a phone number.' },
  { id: 'digits', pattern: /\d{6,}/, text: 'The text holds a long number; account and identity numbers do not belong here.' },
]

/** Warns of personal data in a reason, because the service keeps the text for good. `names` are the names on the screen. */
export function reasonWarnings(text: string, names: readonly (string | undefined)[] = []): ReasonWarning[] {
  const found: ReasonWarning[] = looks.filter((look) => look.pattern.test(text)).map(({ id, text }) => ({ id, text }))
  const parts = names
    .flatMap((name) => (name ?? '').split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= 3 && !commonWords.has(part.toLowerCase()))
  const lower = text.toLowerCase()
  const named = parts.some((part) => new RegExp(`(?<![\\p{L}\\p{N}])${part.toLowerCase()}(?![\\p{L}\\p{N}])`, 'u').test(lower))
  return named ? [...found, { id: 'name', text: 'The text holds a part of the customer’s name.' }] : found
}

/** Words of business names that are also plain words; warning of them would teach people to tick without reading. */
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
