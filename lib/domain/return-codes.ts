/** What an ACH return code says and what to do about it. `stop`: no further attempt without a new authorisation or account. */
export type ReturnCode = { meaning: string; advice: string; stop: boolean }

const noMoney: ReturnCode = { meaning: 'Not enough or uncollected funds', advice: 'It may be sent again.', stop: false }
const badNumber: ReturnCode = { meaning: 'No such account, or a wrong number', advice: 'Correct the bank details first.', stop: true }
const deceased: ReturnCode = { meaning: 'The payee or the account owner has died', advice: 'Stop; do not send again.', stop: true }
const unauthorised: ReturnCode = {
  meaning: 'The customer says it was not authorised',
  advice: 'Stop; get a new authorisation and keep the proof.',
  stop: true,
}

/** The return codes the provider names (provider facts 2.20). */
export const returnCodes: Record<string, ReturnCode> = {
  R01: noMoney,
  R02: { meaning: 'The bank account is closed', advice: 'Ask the customer for another account.', stop: true },
  R03: badNumber,
  R04: badNumber,
  R05: unauthorised,
  R07: unauthorised,
  R08: { meaning: 'The customer stopped the payment', advice: 'Talk to the customer first.', stop: true },
  R09: noMoney,
  R10: unauthorised,
  R11: unauthorised,
  R13: { meaning: 'The routing number is not valid', advice: 'Correct the bank details first.', stop: true },
  R14: deceased,
  R15: deceased,
  R16: { meaning: 'The account is frozen', advice: 'Stop; the bank or a sanctions list holds it.', stop: true },
  R20: { meaning: 'Not an account for payments', advice: 'Ask the customer for another account.', stop: true },
  R23: { meaning: 'The receiver refused the money', advice: 'Confirm the details with the customer.', stop: true },
  R29: {
    meaning: 'The business account holder’s bank says it was not authorised',
    advice: 'The customer’s bank must allow the originator; then the paykey can be unblocked once.',
    stop: true,
  },
  R51: { meaning: 'Counted as unauthorised', advice: 'Stop; get a new authorisation.', stop: true },
}

/** The meaning of a return code; null for one that is not known, whose raw text must then be shown. */
export function returnCode(code: string | null | undefined): ReturnCode | null {
  return code && Object.hasOwn(returnCodes, code) ? (returnCodes[code] ?? null) : null
}
