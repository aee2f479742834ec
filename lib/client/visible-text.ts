/**
 * Matches invisible characters that change how a text reads or compares: controls, marks and overrides of writing direction, zero-width
 * spaces, joiners, fillers and tags (Unicode: controls, default ignorable code points, line and paragraph separators). Excludes tabs, line
 * ends and the variation selectors of emoji.
 */
const hidden = /(?!\t|\n|\r|\p{Variation_Selector})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** Scripts that need a joiner between some letters: Arabic (also Persian), Syriac, and those of South Asia. */
const joining =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}'

/** Matches a joiner that belongs to the text: between such letters, or within one emoji. */
const written = new RegExp(
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])|(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})`,
  'gu',
)

const codePoint = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A part of a text: visible characters, or the code point of an invisible one. */
export type TextPiece = { text: string } | { hidden: string }

/** Splits a text at its invisible characters and replaces each by its code point. Returns one piece if there are none. */
export function piecesOf(text: string): TextPiece[] {
  if (text.search(hidden) < 0) return [{ text }]
  const joinerIndexes = new Set([...text.matchAll(written)].map(({ index }) => index))
  const found = [...text.matchAll(hidden)].filter(({ index }) => !joinerIndexes.has(index))
  const pieces: TextPiece[] = []
  let from = 0
  for (const { index, 0: character } of found) {
    if (index > from) pieces.push({ text: text.slice(from, index) })
    pieces.push({ hidden: codePoint(character) })
    from = index + character.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

/**
 * Returns an external text as one string, with invisible characters written as `[U+202E]`. For attributes and other places without markup.
 */
export function visibleText(text: string): string {
  return piecesOf(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}]`))
    .join('')
}
