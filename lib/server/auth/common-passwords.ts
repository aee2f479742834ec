import 'server-only'
import listed from './common-passwords.json'

let cachedPasswords: ReadonlySet<string> | undefined

/** The passwords that attackers try first, in lowercase. */
export function getCommonPasswords(): ReadonlySet<string> {
  cachedPasswords ??= new Set(listed.flatMap((line) => line.split(' ')))
  return cachedPasswords
}

const letterBySign: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const replaceSignsByLetters = (text: string) =>
  text.replace(/[013457@$!]/g, (sign) => letterBySign[sign] ?? sign)

/** `abc` in `abcabcabc`; the whole text if it is not a repetition. */
const findRepeatedText = (text: string) => text.slice(0, (text + text).indexOf(text, 1))

const stripNonLetterEnds = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, '')

/** Also detects added digits or signs, digits instead of letters, and repetition. */
export function isCommonPassword(password: string): boolean {
  const lowercasePassword = password.normalize('NFKC').toLowerCase()
  const passwordForms = [
    lowercasePassword,
    findRepeatedText(lowercasePassword),
    stripNonLetterEnds(lowercasePassword),
    replaceSignsByLetters(lowercasePassword),
    stripNonLetterEnds(replaceSignsByLetters(stripNonLetterEnds(lowercasePassword))),
  ]
  const lettersOnly = lowercasePassword.replace(/[^a-z]/g, '')
  const allForms = [
    ...passwordForms,
    lettersOnly,
    findRepeatedText(lettersOnly),
    findRepeatedText(stripNonLetterEnds(lowercasePassword)),
    findRepeatedText(replaceSignsByLetters(lowercasePassword)),
  ]
  return allForms.some((form) => form !== '' && getCommonPasswords().has(form))
}
