/**
 * `yes`: a returned payment may be sent again. `after`: only once the condition in `first` is true.
 * `never`: the bank would return the payment again.
 */
export type ResubmitRule = 'yes' | 'after' | 'never'

/** Every code counts toward Nacha's overall return rate; `counts` names a second rate. */
export type ReturnCode = {
  meaning: string
  advice: string
  again: ResubmitRule
  /** For `after` only: the condition to confirm before resubmitting, as a sentence. */
  first?: string
  /** For `never` only: true if a payment to another bank account of the customer can succeed. */
  otherAccount?: true
  counts: 'unauthorized' | 'administrative' | null
  /**
   * True if the payment must not be sent again until something changed, such as the authorization.
   */
  stop: boolean
}

const createReturnCode = (
  again: ResubmitRule,
  meaning: string,
  advice: string,
  overrides: Partial<ReturnCode> = {},
): ReturnCode => ({
  meaning,
  advice,
  again,
  counts: null,
  stop: again !== 'yes',
  ...overrides,
})

const createNoFundsCode = (meaning: string) =>
  createReturnCode(
    'yes',
    meaning,
    'Can be resubmitted up to twice within 180 days, preferably when funds are available.',
  )
const otherAccountAllowed = { otherAccount: true } as const
const newDetailsAdvice =
  'Ask the customer for the correct bank details and connect a new bank account.'
const createBadNumberCode = (meaning: string) =>
  createReturnCode('never', meaning, newDetailsAdvice, {
    ...otherAccountAllowed,
    counts: 'administrative',
  })
const createDeceasedCode = (meaning: string) =>
  createReturnCode('never', meaning, 'Do not resubmit.')

const newAuthorizationFields = {
  first: 'A new authorization of the customer is on file.',
  counts: 'unauthorized',
} as const
const createUnauthorizedCode = (meaning: string) =>
  createReturnCode(
    'after',
    meaning,
    'Do not resubmit. Get a new authorization and keep the proof.',
    newAuthorizationFields,
  )
// The sender can correct the entry of an R11 return, so Nacha does not count R11 as unauthorized
// (provider facts 2.20).
const notPerTermsCode = createReturnCode(
  'after',
  'Customer advises entry not in accordance with the terms of the authorization',
  'Do not resubmit as it was. Correct the entry or get a new authorization, and keep the proof.',
  { first: 'The entry is corrected, and the authorization covers it.' },
)

/** The return codes the provider documents (provider facts 2.20). */
export const returnCodes: Readonly<Record<string, ReturnCode>> = {
  R01: createNoFundsCode('Insufficient funds'),
  R02: createReturnCode('never', 'Account closed', 'Ask the customer for another bank account.', {
    ...otherAccountAllowed,
    counts: 'administrative',
  }),
  R03: createBadNumberCode('No account or unable to locate account'),
  R04: createBadNumberCode('Invalid account number'),
  R05: createUnauthorizedCode('Unauthorized debit to consumer account'),
  R07: createUnauthorizedCode('Authorization revoked by customer'),
  R08: createReturnCode('after', 'Payment stopped', 'Contact the customer first.', {
    first: 'The customer agrees to a resubmission.',
  }),
  R09: createNoFundsCode('Uncollected funds'),
  R10: createUnauthorizedCode('Customer advises not authorized'),
  R11: notPerTermsCode,
  R13: createReturnCode('never', 'Invalid routing number', newDetailsAdvice, otherAccountAllowed),
  R14: createDeceasedCode('Representative payee deceased'),
  R15: createDeceasedCode('Beneficiary or account holder deceased'),
  R16: createReturnCode(
    'never',
    'Account frozen',
    'Do not resubmit. The bank or a sanctions list blocks the account.',
  ),
  R20: createReturnCode(
    'never',
    'Non-transaction account',
    'Ask the customer for another bank account.',
    otherAccountAllowed,
  ),
  R23: createReturnCode(
    'after',
    'Credit entry refused by receiver',
    'Confirm the details with the customer.',
    {
      first: 'The customer confirmed the account and accepts the payment.',
    },
  ),
  R29: createReturnCode(
    'after',
    'Corporate customer advises not authorized',
    'Have the bank allow-list our ACH company ID; then the paykey can be unblocked once.',
    { first: 'The customer’s bank has allow-listed our ACH company ID.', counts: 'unauthorized' },
  ),
  R51: createReturnCode(
    'after',
    'Counted as unauthorized',
    'Do not resubmit. Get a new authorization.',
    newAuthorizationFields,
  ),
}

/** Null if the code is unknown: the screen must then show the raw code. */
export function findReturnCode(code: string | null | undefined): ReturnCode | null {
  return code && Object.hasOwn(returnCodes, code) ? (returnCodes[code] ?? null) : null
}
