import { decodeLatin1 } from './bytes'
import { isProgramInstruction } from './doc-text'
import { FileRefusal, type PausableCheck } from './refusal'
import {
  cdataStart,
  decodeXml,
  readTags,
  resolveCharacterReferences,
  type SkippedSection,
  skippedSections,
  type XmlTag,
} from './xml'
import { createUnpackAllowance, readZipEntries, unpackEntry, type ZipEntry } from './zip'

const instructionTagPattern = /^<(?:[A-Za-z_][\w.-]*:)?(instrText|fldSimple)\b/
const fieldBeginPattern =
  /^<(?:[A-Za-z_][\w.-]*:)?(?:fldChar|fldSimple)\b(?![^>]*["'](?:separate|end)["'])/
const wholeTagPattern = /^<(?:[^<>"']|"[^"]*"|'[^']*')*>/
const instructionAttributePattern = /[\s:]instr\s*=\s*(?:"([^"]*)"|'([^']*)')/

/** The most bytes of a content type part, a relationships part, or a text without a tag. */
const maxPartTextBytes = 4 * 1024 * 1024

/**
 * Finds fields that start a program. The instruction of a field can be split over many tags,
 * comments and CDATA sections, and contain character references, so its pieces are joined.
 */
class WordFieldScanner {
  private rest = ''
  private instruction = ''
  private isInInstruction = false
  private section: SkippedSection | null = null

  /**
   * Throws `FileRefusal`. Drops the zero bytes of UTF-16 text, so that ASCII words are found in it.
   */
  see(part: Uint8Array): void {
    const unscannedText = this.rest + decodeLatin1(part).replaceAll('\0', '')
    if (/<!(?:doctype\s+(?!svg)|entity)/i.test(unscannedText)) throw new FileRefusal('wordDamaged')
    if (/<script[\s>]/i.test(unscannedText)) throw new FileRefusal('wordEmbedded')
    const lastTagStart = Math.max(0, unscannedText.lastIndexOf('<'))
    for (const piece of unscannedText.slice(0, lastTagStart).split('<').slice(1))
      this.readPiece(`<${piece}`)
    this.rest = unscannedText.slice(lastTagStart)
    // Cutting a long rest could hide an instruction, so the file is refused.
    if (this.rest.length > maxPartTextBytes) throw new FileRefusal('wordTooLarge')
  }

  private readPiece(piece: string): void {
    if (this.section) {
      this.readSection(piece, this.section)
      return
    }
    const skippedSection = skippedSections.find(([start]) => piece.startsWith(start))
    if (skippedSection) this.readSection(piece.slice(skippedSection[0].length), skippedSection)
    else this.readTag(piece)
  }

  /** Reads text in a comment, CDATA section or processing instruction, and text after its end. */
  private readSection(text: string, section: SkippedSection): void {
    const [start, end] = section
    const sectionEnd = text.indexOf(end)
    this.section = sectionEnd === -1 ? section : null
    if (start === cdataStart)
      this.addInstruction(sectionEnd === -1 ? text : text.slice(0, sectionEnd))
    if (sectionEnd !== -1)
      this.addInstruction(resolveCharacterReferences(text.slice(sectionEnd + end.length)))
  }

  private readTag(piece: string): void {
    if (fieldBeginPattern.test(piece)) this.instruction = ''
    const tagName = instructionTagPattern.exec(piece)?.[1]
    this.isInInstruction = tagName !== undefined
    if (tagName === undefined) return
    const [tag = piece] = wholeTagPattern.exec(piece) ?? []
    const [, double, single] = instructionAttributePattern.exec(tag) ?? []
    const instructionText =
      tagName === 'fldSimple' ? (double ?? single ?? '') : piece.slice(tag.length)
    this.addInstruction(resolveCharacterReferences(instructionText))
  }

  private addInstruction(text: string): void {
    if (!this.isInInstruction) return
    this.instruction = (this.instruction + text).trimStart().slice(0, 200)
    if (isProgramInstruction(this.instruction)) throw new FileRefusal('wordExternal')
  }
}

const mainPartTypePattern =
  /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document\.main\+xml$/i
const macroPartTypePattern = /macroenabled|vbaproject|vbadata|keymapcustomizations/i
const objectPartTypePattern = /activex|oleobject|\.package$|msdownload|x-ms|java/i

/** Names of relationship types: the part of the type URL after the last slash, in lower case. */
const macroRelationshipTypes = new Set([
  'vbaproject',
  'wordvbadata',
  'keymapcustomizations',
  'attachedtoolbars',
])
const objectRelationshipTypes = new Set([
  'oleobject',
  'package',
  'control',
  'activexcontrol',
  'activexcontrolbinary',
  'afchunk',
  'subdocument',
  'frame',
  'externallink',
])

/** Links that run code or start a program: scripts, shell handlers, web archives. */
const dangerousLinkPattern =
  /^\s*(?:javascript|vbscript|data|mhtml|ms-[a-z-]+|search-ms|search|its|mk|res|shell):/i
const localDrivePattern = /^(?:file:\/\/\/)?[a-z]:[\\/]/i

/** Parts that a word processor writes: text, pictures, fonts and signatures. */
const allowedPartNamePattern =
  /\.(?:xml|rels|vml|png|jpe?g|jpe|jfif|gif|bmp|dib|tiff?|emf|wmf|emz|wmz|svg|wdp|hdp|jxr|webp|odttf|fntdata|ttf|otf|psmdcp|sigs)$|(?:^|\/)printerSettings\d*\.bin$/i

const forbiddenSignatures: readonly (readonly number[])[] = [
  [0x4d, 0x5a],
  [0x7f, 0x45, 0x4c, 0x46],
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0xca, 0xfe, 0xba, 0xbe],
  [0x25, 0x50, 0x44, 0x46],
  [0x52, 0x61, 0x72, 0x21],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x7b, 0x5c, 0x72, 0x74],
  [0x23, 0x21],
]

const pictureSignatures: readonly (readonly number[])[] = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
  [0x47, 0x49, 0x46, 0x38],
  [0x42, 0x4d],
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
]

/** Refuses parts that no plain document has: macros, signed packages, embedded objects. */
function checkPartName(name: string): void {
  if (/(?:^|\/)vba(?:project|data)[^/]*$/i.test(name)) throw new FileRefusal('wordMacros')
  if (/^META-INF\/./i.test(name)) throw new FileRefusal('wordOther')
  if (/(?:^|\/)(?:embeddings|activeX)\/./i.test(name)) throw new FileRefusal('wordEmbedded')
}

const startsWithAny = (head: Uint8Array, signatures: readonly (readonly number[])[]) =>
  signatures.some((start) => start.every((byte, at) => head[at] === byte))

/**
 * Refuses a part of an unknown kind, and one whose first bytes are those of a program, an archive
 * or a document, whatever its name. A picture in `media` can have any extension.
 */
function checkPartHead(name: string, head: Uint8Array): void {
  const isPicture = /(?:^|\/)media\/[^/]+$/i.test(name) && startsWithAny(head, pictureSignatures)
  const isKnownPart = name.endsWith('/') || allowedPartNamePattern.test(name) || isPicture
  if (!isKnownPart || startsWithAny(head, forbiddenSignatures))
    throw new FileRefusal('wordEmbedded')
}

const getAttribute = (tag: XmlTag, name: string) => tag.attributes.get(name) ?? ''

/** Part names are case-insensitive, and their leading slash is optional. */
const normalizePartName = (name: string) => name.replace(/^\//, '').toLowerCase()

/** `parts` by part name; `endings` by extension, for all other parts. */
type ContentTypes = { parts: ReadonlyMap<string, string>; endings: ReadonlyMap<string, string> }

const findContentType = ({ parts, endings }: ContentTypes, name: string) =>
  parts.get(normalizePartName(name)) ??
  endings.get(normalizePartName(name).split('.').at(-1) ?? '') ??
  ''

function checkContentType({ name }: XmlTag, type: string): void {
  if (macroPartTypePattern.test(type)) throw new FileRefusal('wordMacros')
  // Only `Override` names a part. A `Default` is for an extension, and word processors write one
  // for `.bin` even without such a part.
  if (name === 'Override' && objectPartTypePattern.test(type)) throw new FileRefusal('wordEmbedded')
}

/** Refuses a package that is no Word document, or has macros or objects. */
function readContentTypes(text: string): ContentTypes {
  const partTypes = new Map<string, string>()
  const typeByExtension = new Map<string, string>()
  for (const tag of readTags(text)) {
    const contentType = getAttribute(tag, 'ContentType').trim()
    checkContentType(tag, contentType)
    if (tag.name === 'Override')
      partTypes.set(normalizePartName(getAttribute(tag, 'PartName')), contentType)
    if (tag.name === 'Default')
      typeByExtension.set(getAttribute(tag, 'Extension').toLowerCase(), contentType)
  }
  if (
    ![...partTypes.values(), ...typeByExtension.values()].some((type) =>
      mainPartTypePattern.test(type),
    )
  )
    throw new FileRefusal('wordOther')
  return { parts: partTypes, endings: typeByExtension }
}

function checkExternalTarget(type: string, target: string): void {
  if (dangerousLinkPattern.test(target)) throw new FileRefusal('wordExternal')
  if (type === 'hyperlink') return
  if (type === 'attachedtemplate' && localDrivePattern.test(target)) return
  throw new FileRefusal('wordExternal')
}

function checkRelationship(tag: XmlTag, type: string, target: string): void {
  if (macroRelationshipTypes.has(type)) throw new FileRefusal('wordMacros')
  if (objectRelationshipTypes.has(type)) throw new FileRefusal('wordEmbedded')
  if (getAttribute(tag, 'TargetMode').toLowerCase() === 'external')
    checkExternalTarget(type, target)
}

/** Returns the names of the parts that are declared as the main document. */
function readMainPartPaths(text: string): string[] {
  const mainPartPaths: string[] = []
  for (const tag of readTags(text)) {
    if (tag.name !== 'Relationship') continue
    const relationshipType = (getAttribute(tag, 'Type').split('/').at(-1) ?? '').toLowerCase()
    const relationshipTarget = getAttribute(tag, 'Target')
    checkRelationship(tag, relationshipType, relationshipTarget)
    if (relationshipType === 'officedocument')
      mainPartPaths.push(normalizePartName(relationshipTarget))
  }
  return mainPartPaths
}

const isContentTypesPart = (name: string) => name.toLowerCase() === '[content_types].xml'
const shouldReadInFull = (name: string) => isContentTypesPart(name) || /\.rels$/i.test(name)

/** Returns the text of content types and relationships, and an empty text for other parts. */
function* readPart(
  bytes: Uint8Array,
  entry: ZipEntry,
  allowance: { left: number },
): PausableCheck<string> {
  const chunks: Uint8Array[] = []
  let unpackedLength = 0
  let partHead = new Uint8Array()
  const fieldScanner = /\.(?:xml|vml|svg)$/i.test(entry.name) ? new WordFieldScanner() : null
  yield* unpackEntry(bytes, entry, allowance, (part) => {
    if (partHead.length < 16)
      partHead = new Uint8Array([...partHead, ...part.subarray(0, 16 - partHead.length)])
    fieldScanner?.see(part)
    unpackedLength += part.length
    if (!shouldReadInFull(entry.name)) return
    if (unpackedLength > maxPartTextBytes) throw new FileRefusal('wordTooLarge')
    chunks.push(part.slice())
  })
  checkPartHead(entry.name, partHead)
  if (!shouldReadInFull(entry.name)) return ''
  const unpacked = new Uint8Array(unpackedLength)
  chunks.reduce((at, part) => {
    unpacked.set(part, at)
    return at + part.length
  }, 0)
  return decodeXml(unpacked)
}

/** `roots` are the main documents that the root relationships name. */
type PackageInfo = { types: ContentTypes; roots: readonly string[] }

function* readParts(bytes: Uint8Array, entries: readonly ZipEntry[]): PausableCheck<PackageInfo> {
  const unpackAllowance = createUnpackAllowance(bytes)
  const packageInfo: PackageInfo = { types: { parts: new Map(), endings: new Map() }, roots: [] }
  for (const entry of entries) {
    checkPartName(entry.name)
    const partText = yield* readPart(bytes, entry, unpackAllowance)
    if (isContentTypesPart(entry.name)) packageInfo.types = readContentTypes(partText)
    else if (shouldReadInFull(entry.name)) {
      const declaredMainParts = readMainPartPaths(partText)
      if (normalizePartName(entry.name) === '_rels/.rels') packageInfo.roots = declaredMainParts
    }
  }
  return packageInfo
}

export function* checkDocx(bytes: Uint8Array): PausableCheck {
  const zipEntries = readZipEntries(bytes)
  if (!zipEntries.some(({ name }) => isContentTypesPart(name))) throw new FileRefusal('wordOther')
  // Content types come first, so that a spreadsheet is refused as another kind of file.
  const orderedEntries = [
    ...zipEntries.filter(({ name }) => isContentTypesPart(name)),
    ...zipEntries.filter(({ name }) => !isContentTypesPart(name)),
  ]
  const { types, roots } = yield* readParts(bytes, orderedEntries)
  const [mainPartName = '', ...others] = roots
  const hasSingleMainPart =
    others.length === 0 &&
    mainPartTypePattern.test(findContentType(types, mainPartName)) &&
    zipEntries.some(({ name }) => normalizePartName(name) === mainPartName)
  if (!hasSingleMainPart) throw new FileRefusal('wordDamaged')
}
