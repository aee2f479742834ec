import { secretSamples } from '@/tests/operations/answer-violations'

/**
 * Secret values that the tests put into requests and responses, by kind. None of them may remain in
 * the store after its action has settled.
 */
const canariesByKind: Record<string, readonly string[]> = {
  'account number': ['900012345678', '90001234'],
  'social security number': ['123-45-6789', '45-6789'],
  'identification number': ['12-3456789', '3456789'],
  'date of birth': ['1980-02-28'],
  'last four of a number': ['4821'],
  token: ['processor-sandbox-1', secretSamples.token[0], secretSamples.token[1]],
  'contact data': [
    'ann@example.com',
    '+15125550100',
    secretSamples.email[0],
    secretSamples.phone[0],
  ],
  address: [secretSamples.address[0], secretSamples.street[0]],
}

export const findCanaryKinds = (text: string) =>
  Object.entries(canariesByKind).flatMap(([what, words]) =>
    words.some((word) => text.includes(word)) ? [what] : [],
  )

/**
 * The kind of the canary `4821`. Hashes and times contain these four digits by chance, so only
 * decrypted values are searched for them.
 */
export const fourDigitCanaryKind = 'last four of a number'
