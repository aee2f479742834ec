import 'server-only'
import listed from './common-passwords.json'

let kept: ReadonlySet<string> | undefined

/** Passwords that are tried first: words, walks over the keyboard, runs of digits; in small letters. A part of the build, so that it is wherever that runs. */
export function commonPasswords(): ReadonlySet<string> {
  kept ??= new Set(listed.flatMap((line) => line.split(' ')))
  return kept
}

const letterOf: Readonly<Record<string, string>> = {
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

const asLetters = (text: string) => text.replace(/[013457@$!]/g, (sign) => letterOf[sign] ?? sign)

/** The text that is repeated, as `abc` in `abcabcabc`; the whole where it is not a repetition. */
const repeated = (text: string) => text.slice(0, (text + text).indexOf(text, 1))

const withoutEnds = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, '')

/** A word of the list with digits and signs around or in it, with digits for letters, or several times over, is as common as the word. */
export function isCommon(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase()
  const forms = [folded, repeated(folded), withoutEnds(folded), asLetters(folded), withoutEnds(asLetters(withoutEnds(folded)))]
  const bare = folded.replace(/[^a-z]/g, '')
  const all = [...forms, bare, repeated(bare), repeated(withoutEnds(folded)), repeated(asLetters(folded))]
  return all.some((form) => form !== '' && commonPasswords().has(form))
}
