/**
 * Whether the same payment may be made anew on the same bank account. `yes`: as it is. `after`: once something was mended, which `first` names.
 * `never`: it would only come back.
 */
export type Again = 'yes' | 'after' | 'never'

/** What an ACH return code says and what to do about it. `counts` is the Nacha rate it counts for besides the overall one. */
export type ReturnCode = {
  meaning: string
  advice: string
  again: Again
  /** What has to be true before it is made anew, as a sentence to tick; for `after` only. */
  first?: string
  /** For `never`: another bank account of the customer would do. */
  otherAccount?: true
  counts: 'unauthorised' | 'administrative' | null
  /** No further attempt without a new authorisation or another account. */
  stop: boolean
}

const returned = (again: Again, meaning: string, advice: string, more: Partial<ReturnCode> = {}): ReturnCode => ({
  meaning,
  advice,
  again,
  counts: null,
  stop: again !== 'yes',
  ...more,
})

const noMoney = returned(
  'yes',
  'Not enough or uncollected funds',
  'It may be sent again: twice at most, within 180 days. Better on a day when money is there.',
)
const elsewhere = { otherAccount: true } as const
const badNumber = returned(
  'never',
  'No such account, or a wrong number',
  'Ask the customer for the right bank details and connect them anew.',
  {
    ...elsewhere,
    counts: 'administrative',
  },
)
const deceased = returned('never', 'The payee or the account owner has died', 'Stop; do not send again.')

const newAuthorisation = { first: 'A new authorisation of the customer is on file.', counts: 'unauthorised' } as const
const unauthorised = returned(
  'after',
  'The customer says it was not authorised',
  'Stop; get a new authorisation and keep the proof.',
  newAuthorisation,
)
// Nacha counts only some of these for the unauthorised rate (provider facts 2.20); R11 is corrected rather than counted.
const notPerTerms = returned(
  'after',
  'The entry was not as it was authorised',
  'Stop; correct what was not as agreed, or get a new authorisation, and keep the proof.',
  { first: 'What was not as agreed is corrected, and the authorisation covers it.' },
)

/** The return codes the provider names (provider facts 2.20). */
export const returnCodes: Readonly<Record<string, ReturnCode>> = {
  R01: noMoney,
  R02: returned('never', 'The bank account is closed', 'Ask the customer for another account.', { ...elsewhere, counts: 'administrative' }),
  R03: badNumber,
  R04: badNumber,
  R05: unauthorised,
  R07: returned('after', 'The customer took the authorisation back', 'Stop; get a new authorisation and keep the proof.', newAuthorisation),
  R08: returned('after', 'The customer stopped the payment', 'Talk to the customer first.', {
    first: 'The customer agrees to another try.',
  }),
  R09: noMoney,
  R10: unauthorised,
  R11: notPerTerms,
  R13: returned(
    'never',
    'The routing number is not valid',
    'Ask the customer for the right bank details and connect them anew.',
    elsewhere,
  ),
  R14: deceased,
  R15: deceased,
  R16: returned('never', 'The account is frozen', 'Stop; the bank or a sanctions list holds it.'),
  R20: returned('never', 'Not an account for payments', 'Ask the customer for another account.', elsewhere),
  R23: returned('after', 'The receiver refused the money', 'Confirm the details with the customer.', {
    first: 'The customer confirmed the account and wants the money.',
  }),
  R29: returned(
    'after',
    'The business account holder’s bank says it was not authorised',
    'The customer’s bank must allow the originator; then the paykey can be unblocked once.',
    { first: 'The customer’s bank allows the originator now.', counts: 'unauthorised' },
  ),
  R51: returned('after', 'Counted as unauthorised', 'Stop; get a new authorisation.', newAuthorisation),
}

/** The meaning of a return code; null for one that is not known, whose raw text must then be shown. */
export function returnCode(code: string | null | undefined): ReturnCode | null {
  return code && Object.hasOwn(returnCodes, code) ? (returnCodes[code] ?? null) : null
}
