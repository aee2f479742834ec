import 'server-only'

/** A run of a key this long counts as the key. */
const telling = 13
/** A telling run holds a whole one of these blocks wherever it begins. */
const block = 7

/** A short text without any telling run of a key: some services repeat the key, or the greater part of it, when they refuse it. */
export function withoutKey(text: string, key: string): string {
  let clean = text
  for (let at = 0; at + block <= key.length; at += block) {
    let found = clean.indexOf(key.slice(at, at + block))
    while (found !== -1) {
      const { start, end } = runAround(clean, key, found, at)
      const tells = end - start >= telling
      if (tells) clean = `${clean.slice(0, start)}[key]${clean.slice(end)}`
      found = clean.indexOf(key.slice(at, at + block), tells ? start : found + 1)
    }
  }
  return clean
}

/** How far text and key agree to both sides of a block that stands at `found` in the text and at `at` in the key. */
function runAround(text: string, key: string, found: number, at: number): { start: number; end: number } {
  let before = 0
  while (before < at && found - before > 0 && text[found - before - 1] === key[at - before - 1]) before += 1
  let length = block
  while (at + length < key.length && text[found + length] === key[at + length]) length += 1
  return { start: found - before, end: found + length }
}
