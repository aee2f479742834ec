import type { Tone } from './status'

export type VerificationCodeText = { code: string; text: string; tone: Tone }

/**
 * Codes that begin with I or BI inform, BV needs validation, R and BR are risks (provider facts
 * 2.11, 7.3).
 */
const codePrefixTones: readonly { prefix: string; tone: Tone }[] = [
  { prefix: 'BR', tone: 'bad' },
  { prefix: 'BV', tone: 'held' },
  { prefix: 'BI', tone: 'good' },
  { prefix: 'R', tone: 'bad' },
  { prefix: 'I', tone: 'good' },
]

/**
 * Texts from the provider's help pages (provider facts 2.11), for codes without a text in the
 * response.
 */
const codeTexts: Readonly<Record<string, string>> = {
  I121: 'Public profiles of this person were found',
  I301: 'The bank account matches the first name',
  I520: 'The email address is low risk',
  I553: 'The email address is more than two years old',
  I601: 'The phone number is a landline',
  I1001: 'Not known to the network',
  I1004: 'Known to at least one other member of the network',
  I1005: 'Known to at least four other members of the network',
  R201: 'The social security number is not valid',
  R203: 'Several identities share the social security number',
  R298: 'The identity seems manipulated',
  R299: 'The identity seems synthetic',
  R520: 'The email address is high risk',
  R551: 'The email address is not valid',
  R701: 'The address is vacant',
  R901: 'The social security number could not be matched to the person',
  R1001: 'Two or more dates of birth are known',
  R1004: 'Three or more phone numbers are known',
  R1005: 'Three or more email addresses are known',
}

/** Do not confuse these codes with bank return codes, which also begin with R. */
export function getCodeTone(code: string): Tone {
  return (
    codePrefixTones.find(({ prefix }) => new RegExp(`^${prefix}\\d`).test(code))?.tone ?? 'neutral'
  )
}

/** The most severe first. The service's own text has precedence. */
export function toVerificationCodeTexts(
  codes: readonly string[],
  messages: Readonly<Record<string, string>>,
): VerificationCodeText[] {
  const toneOrder: readonly Tone[] = ['bad', 'held', 'neutral', 'good']
  return [...new Set(codes)]
    .map((code) => ({
      code,
      tone: getCodeTone(code),
      text:
        getCodeText(messages, code) ||
        getCodeText(codeTexts, code) ||
        'The service sent no text for this code',
    }))
    .sort((one, other) => toneOrder.indexOf(one.tone) - toneOrder.indexOf(other.tone))
}

const getCodeText = (textsByCode: Readonly<Record<string, string>>, code: string) =>
  Object.hasOwn(textsByCode, code) ? textsByCode[code] : undefined
