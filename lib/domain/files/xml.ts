import { FileRefusal } from './refusal'

/** `name` is without its namespace prefix, because each document can choose its own prefixes. */
export type XmlTag = { name: string; attributes: ReadonlyMap<string, string> }

const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const resolveCharacterReferences = (text: string) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi,
    (whole, decimal?: string, hex?: string, entityName?: string) => {
      if (entityName !== undefined) return namedEntities[entityName] ?? whole
      const codePoint = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal)
      return codePoint > 0x10ffff ? whole : String.fromCodePoint(codePoint)
    },
  )

/** Throws for encodings other than UTF-8 and UTF-16, and for document types, as Office does. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const xmlText = new TextDecoder(
    isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8',
  ).decode(bytes)
  const declaredEncoding = /^\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([^"']{1,40})/
    .exec(xmlText)?.[1]
    ?.toLowerCase()
  const isAllowedEncoding =
    declaredEncoding === undefined ||
    ['utf-8', 'us-ascii', ...(isUtf16 ? ['utf-16'] : [])].includes(declaredEncoding)
  if (!isAllowedEncoding || /<!(?:doctype|entity)/i.test(xmlText) || xmlText.includes('\0'))
    throw new FileRefusal('wordDamaged')
  return xmlText
}

/** The start and the end of a comment, CDATA section or processing instruction. */
export type SkippedSection = readonly [start: string, end: string]

export const cdataStart = '<![CDATA['
export const skippedSections: readonly SkippedSection[] = [
  ['<!--', '-->'],
  [cdataStart, ']]>'],
  ['<?', '?>'],
]

/** Skips a comment, CDATA or processing instruction. Returns `at` if none begins there. */
function skipSection(text: string, at: number): number {
  const skippedSection = skippedSections.find(([start]) => text.startsWith(start, at))
  if (!skippedSection) return at
  const end = text.indexOf(skippedSection[1], at + skippedSection[0].length)
  return end === -1 ? text.length : end + skippedSection[1].length
}

/** Yields only opening tags; skips comments, CDATA sections and processing instructions. */
export function* readTags(text: string): Generator<XmlTag> {
  const tagPattern = /<([A-Za-z_][\w.:-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/y
  for (let at = text.indexOf('<'); at !== -1 && at < text.length; at = text.indexOf('<', at)) {
    const sectionEnd = skipSection(text, at)
    if (sectionEnd !== at) {
      at = sectionEnd
      continue
    }
    tagPattern.lastIndex = at
    const [whole = '<', name, rest = ''] = tagPattern.exec(text) ?? []
    at += whole.length
    if (name === undefined) continue
    const attributeMatches = rest.matchAll(
      /(?<=\s)([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    )
    const attributes = new Map(
      Array.from(attributeMatches, ([, key = '', double, single]) => [
        key,
        resolveCharacterReferences(double ?? single ?? ''),
      ]),
    )
    yield { name: name.slice(name.indexOf(':') + 1), attributes }
  }
}
