/**
 * Invisible characters that change how a text is read or compared: Unicode controls, default
 * ignorable code points and separators. Not tabs, line breaks and variation selectors of emoji.
 */
const hiddenCharacterPattern =
  /(?!\t|\n|\r|\p{Variation_Selector})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** Scripts in which a joiner between some letters is normal: Arabic, Syriac, South Asian. */
const joiningScripts =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}'

/** Joiners that belong to the text: between letters of `joiningScripts`, or inside an emoji. */
const legitimateJoinerPattern = new RegExp(
  `(?<=[${joiningScripts}])[\\u200c\\u200d](?=[${joiningScripts}])|(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})`,
  'gu',
)

const formatCodePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** `hidden` is the code point of one invisible character, such as `U+202E`. */
export type TextPiece = { text: string } | { hidden: string }

export function splitAtHiddenCharacters(text: string): TextPiece[] {
  if (text.search(hiddenCharacterPattern) < 0) return [{ text }]
  const joinerIndexes = new Set(
    [...text.matchAll(legitimateJoinerPattern)].map(({ index }) => index),
  )
  const hiddenMatches = [...text.matchAll(hiddenCharacterPattern)].filter(
    ({ index }) => !joinerIndexes.has(index),
  )
  const textPieces: TextPiece[] = []
  let visibleStart = 0
  for (const { index, 0: character } of hiddenMatches) {
    if (index > visibleStart) textPieces.push({ text: text.slice(visibleStart, index) })
    textPieces.push({ hidden: formatCodePoint(character) })
    visibleStart = index + character.length
  }
  if (visibleStart < text.length) textPieces.push({ text: text.slice(visibleStart) })
  return textPieces
}

/** Writes `[U+202E]`, for attributes and other places where no element can mark the character. */
export function replaceHiddenCharacters(text: string): string {
  return splitAtHiddenCharacters(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}]`))
    .join('')
}
