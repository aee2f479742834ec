/**
 * Characters that are not seen and change how a text reads or compares: controls, the marks and overrides of writing direction, spaces without width,
 * joiners, fillers and tags (Unicode: controls, default ignorable code points, line and paragraph separators). Tabs, line ends and the selectors of an
 * emoji's look stay.
 */
const hidden = /(?!\t|\n|\r|\p{Variation_Selector})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** Letters that need a joiner between them to be written right: Persian and Arabic, and the scripts of India. */
const joining =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}'

/** A joiner that belongs there: between such letters, or within one emoji. */
const written = new RegExp(
  `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])|(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})`,
  'gu',
)

const codePoint = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** A piece of a text: as it is, or the code point of a character nobody would see. */
export type TextPiece = { text: string } | { hidden: string }

/** Cuts a text where something in it cannot be seen; one piece where nothing is hidden. What was hidden is named and no longer acts. */
export function piecesOf(text: string): TextPiece[] {
  if (text.search(hidden) < 0) return [{ text }]
  const kept = new Set([...text.matchAll(written)].map(({ index }) => index))
  const found = [...text.matchAll(hidden)].filter(({ index }) => !kept.has(index))
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

/** A text from outside as one string, for where no mark can be drawn, such as an attribute: what cannot be seen is written as `[U+202E]`. */
export function visibleText(text: string): string {
  return piecesOf(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}]`))
    .join('')
}
