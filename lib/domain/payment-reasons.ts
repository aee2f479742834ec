import type { PaymentAction } from './payment-rules'

export type PaymentDecision = Exclude<PaymentAction, 'authorize' | 'update'>

export type DecisionReason = { code: string; label: string; template: string }

/** Facts about a payment that Paydesk can check. A missing fact is unknown. */
export type PaymentReasonFacts = Partial<
  Record<
    | 'proof_on_file'
    | 'over_limit'
    | 'own_hold'
    | 'bank_account_usable'
    | 'balance_covers'
    | 'canceled',
    boolean
  >
>

/** `onlyIf`: the reason would be untrue with the opposite fact. It is offered if it is unknown. */
type PaymentReason = DecisionReason & { onlyIf?: PaymentReasonFacts }

const doubtfulPaymentReasons = [
  {
    code: 'PROOF_MISSING',
    label: 'Missing proof',
    template: 'No authorization proof is on file.',
    onlyIf: { proof_on_file: false },
  },
  {
    code: 'PROOF_UNCLEAR',
    label: 'Unclear proof',
    template: 'The proof on file does not show what was authorized.',
    onlyIf: { proof_on_file: true },
  },
  {
    code: 'DUPLICATE_SUSPECTED',
    label: 'Possible duplicate',
    template: 'This may be a duplicate of another payment.',
  },
  {
    code: 'NAME_MISMATCH',
    label: 'Names do not match',
    template: 'The account holder is not the customer on record.',
  },
  {
    code: 'BANK_ACCOUNT_UNUSABLE',
    label: 'Bank account not usable',
    template: 'The bank account cannot be used for this payment.',
  },
  {
    code: 'BALANCE_TOO_LOW',
    label: 'Balance too low',
    template: 'The balance of the bank account is too low for the amount.',
    onlyIf: { balance_covers: false },
  },
  {
    code: 'LIMIT_EXCEEDED',
    label: 'Over a limit',
    template: 'The amount is over a limit of the account.',
    onlyIf: { over_limit: true },
  },
  { code: 'RISK_SIGNAL', label: 'Risk signal', template: 'A risk signal was found.' },
] as const satisfies readonly PaymentReason[]

/**
 * For a release, hold or cancellation, the text is sent to the service as `reason`; otherwise only
 * the action log stores it. It must not contain personal data.
 */
export const decisionReasons = {
  release: [
    {
      code: 'AUTH_PROOF_OK',
      label: 'Authorization proof checked',
      template: 'Authorization proof was received and checked.',
      onlyIf: { proof_on_file: true },
    },
    {
      code: 'LIMIT_ACCEPTED_ONCE',
      label: 'Over the limit, accepted once',
      template: 'The amount over the limit was accepted for this payment.',
      onlyIf: { over_limit: true },
    },
    {
      code: 'LIMIT_MET',
      label: 'Within the limits now',
      template: 'The amount is within the limits of the account now.',
      onlyIf: { over_limit: false },
    },
    {
      code: 'FALSE_POSITIVE',
      label: 'False alarm',
      template: 'The cause of the hold was reviewed and is a false alarm.',
    },
    {
      code: 'REVIEW_CLEARED',
      label: 'Provider cleared it',
      template: 'The provider’s review cleared this payment.',
    },
    {
      code: 'BANK_ACCOUNT_USABLE',
      label: 'Bank account usable',
      template: 'The bank account can be used for this payment.',
      onlyIf: { bank_account_usable: true },
    },
    {
      code: 'FUNDS_AVAILABLE',
      label: 'Funds available now',
      template: 'The bank account has enough funds for the amount now.',
      onlyIf: { balance_covers: true },
    },
    {
      code: 'NOT_DUPLICATE',
      label: 'Not a duplicate',
      template: 'This payment and the similar one are both intended.',
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
      onlyIf: { own_hold: true },
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
      onlyIf: { canceled: false },
    },
    {
      code: 'NEW_AUTHORIZATION',
      label: 'New authorization',
      template: 'The customer authorized the payment again.',
    },
    {
      code: 'CAUSE_MENDED',
      label: 'Cause fixed',
      template: 'The cause of the first failure was fixed.',
      onlyIf: { canceled: false },
    },
    {
      code: 'CANCELLED_IN_ERROR',
      label: 'Canceled in error',
      template: 'The first payment was canceled by mistake.',
      onlyIf: { canceled: true },
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
} as const satisfies Record<PaymentDecision, readonly PaymentReason[]>

type ReasonCode<D extends PaymentDecision> = (typeof decisionReasons)[D][number]['code']

type NonEmpty<T> = readonly [T, ...T[]]

/** The reasons that fit the cause of a hold, best first. Each cause has one for both decisions. */
export type HoldReasons = {
  readonly [D in 'release' | 'cancel']: NonEmpty<ReasonCode<D>>
}

/**
 * Returns the reasons to choose from: those that the facts do not contradict. Those that fit the
 * hold come first.
 */
export function listPaymentReasons(
  decision: PaymentDecision,
  facts: PaymentReasonFacts,
  fitting: HoldReasons | null,
): DecisionReason[] {
  const fittingCodes: readonly string[] =
    fitting && (decision === 'release' || decision === 'cancel') ? fitting[decision] : []
  const allReasons: readonly PaymentReason[] = decisionReasons[decision]
  const isContradicted = ({ onlyIf = {} }: PaymentReason) =>
    Object.entries(onlyIf).some(
      ([name, value]) => facts[name as keyof PaymentReasonFacts] === !value,
    )
  const getRank = ({ code }: DecisionReason) =>
    fittingCodes.includes(code) ? fittingCodes.indexOf(code) : fittingCodes.length
  return allReasons
    .filter((reason) => !isContradicted(reason))
    .toSorted((one, other) => getRank(one) - getRank(other))
}
