/**
 * Prefixes: I is information, R a risk. For a business, BI is information, BV a value to validate,
 * BR a risk. The return codes of the bank network also start with R, but are a different list.
 */
const identityCodeTexts = {
  I121: 'Public profiles of this person were found',
  I301: 'The first name belongs to the holder of the bank account',
  I520: 'The e-mail address carries a low risk',
  I553: 'The e-mail address has been in use for more than two years',
  I601: 'The phone number is a landline',
  I1001: 'No other member of the network knows this person',
  I1004: 'At least one other member of the network knows this person',
  I1005: 'Four or more other members of the network know this person',
  R201: 'The social security number is not written as one',
  R203: 'The social security number was used with several identities',
  R298: 'The identity looks altered: parts of it belong to somebody else',
  R299: 'The identity looks made up: its parts belong to nobody',
  R520: 'The e-mail address carries a high risk',
  R551: 'The e-mail address does not exist',
  R701: 'Nobody lives at the address',
  R901: 'The social security number could not be traced to this person',
  R1001: 'Two or more dates of birth are known for this person',
  R1004: 'Three or more phone numbers are known for this person',
  R1005: 'Three or more e-mail addresses are known for this person',
  R1006: 'An application of this person was marked as fraud',
  R1007: 'Several applications of this person were marked as fraud',
  R1010: 'An account of this person was closed for fraud',
  R1012: 'An account of this person is overdue',
  R1014: 'Several accounts of this person were closed with a loss',
  BI101: 'The legal name stands in the register of its state',
  BI102: 'The website belongs to this business',
  BV201: 'The tax number was found under a similar name',
  BR301: 'No active registration was found under the legal name',
  BR302: 'The tax number belongs to another business',
} as const

export type IdentityCode = keyof typeof identityCodeTexts

export const toMessageByCode = (codes: readonly IdentityCode[]): Record<string, string> =>
  Object.fromEntries(codes.map((code) => [code, identityCodeTexts[code]]))
