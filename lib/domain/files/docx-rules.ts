import { Refusal } from './refusal'
import { tagsOf, type XmlTag } from './xml'

const mainPart = /^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document\.main\+xml$/i
const macroPart = /macroenabled|vbaproject|vbadata|keymapcustomizations/i
const objectPart = /activex|oleobject|\.package$|msdownload|x-ms|java/i

/** Relationships by the last word of their type. An external one may only be a link that a person follows, or a template on a drive of their own. */
const macroLinks = new Set(['vbaproject', 'wordvbadata', 'keymapcustomizations', 'attachedtoolbars'])
const objectLinks = new Set([
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

/** Links that a reader would run or fetch in another way than a page: scripts, shell handlers, archives of pages. */
const badLink = /^\s*(?:javascript|vbscript|data|mhtml|ms-[a-z-]+|search-ms|search|its|mk|res|shell):/i
const ownDrive = /^(?:file:\/\/\/)?[a-z]:[\\/]/i

/** Endings of the parts a word processor writes; each is text, a picture, a font or a signature. */
const partEndings =
  /\.(?:xml|rels|vml|png|jpe?g|jpe|jfif|gif|bmp|dib|tiff?|emf|wmf|emz|wmz|svg|wdp|hdp|jxr|webp|odttf|fntdata|ttf|otf|psmdcp|sigs)$|(?:^|\/)printerSettings\d*\.bin$/i

const otherHeads: readonly (readonly number[])[] = [
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

/** Refuses a part by its name: what no word processor writes into a plain document. */
export function checkPartName(name: string): void {
  if (name.endsWith('/') || name === '') return
  if (/(?:^|\/)vba(?:project|data)[^/]*$/i.test(name)) throw new Refusal('wordMacros')
  if (/^META-INF\//i.test(name)) throw new Refusal('wordOther')
  if (/(?:^|\/)(?:embeddings|activeX)\//i.test(name) || !partEndings.test(name)) throw new Refusal('wordEmbedded')
}

/** Refuses a part by its first bytes: programs, archives and documents in a document, whatever their name is. */
export function checkPartHead(head: Uint8Array): void {
  if (otherHeads.some((start) => start.every((byte, at) => head[at] === byte))) throw new Refusal('wordEmbedded')
}

const attribute = (tag: XmlTag, name: string) => tag.attributes.get(name) ?? ''

/** The content types of a package: a plain Word document as its main part, and no macros or objects among the others. Gives the main part's name. */
export function checkContentTypes(text: string): string {
  let main = ''
  for (const tag of tagsOf(text)) {
    const type = attribute(tag, 'ContentType').trim()
    if (macroPart.test(type)) throw new Refusal('wordMacros')
    if (tag.name === 'Override' && mainPart.test(type)) main = attribute(tag, 'PartName').replace(/^\//, '')
    // A default for an ending says nothing by itself: word processors write one for .bin and no part that has it.
    if (tag.name === 'Override' && objectPart.test(type)) throw new Refusal('wordEmbedded')
  }
  if (main === '') throw new Refusal('wordOther')
  return main
}

function checkExternal(type: string, target: string): void {
  if (badLink.test(target)) throw new Refusal('wordExternal')
  if (type === 'hyperlink') return
  if (type === 'attachedtemplate' && ownDrive.test(target)) return
  throw new Refusal('wordExternal')
}

function checkRelationship(tag: XmlTag, type: string, target: string): void {
  if (macroLinks.has(type)) throw new Refusal('wordMacros')
  if (objectLinks.has(type)) throw new Refusal('wordEmbedded')
  if (attribute(tag, 'TargetMode').toLowerCase() === 'external') checkExternal(type, target)
}

/** The relationships of a part. Gives the targets of those that name the main document. */
export function checkRelationships(text: string): string[] {
  const mains: string[] = []
  for (const tag of tagsOf(text)) {
    if (tag.name !== 'Relationship') continue
    const type = (attribute(tag, 'Type').split('/').at(-1) ?? '').toLowerCase()
    const target = attribute(tag, 'Target')
    checkRelationship(tag, type, target)
    if (type === 'officedocument') mains.push(target.replace(/^\//, ''))
  }
  return mains
}
