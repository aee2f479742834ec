import { FieldWatch } from './docx-fields'
import { checkContentTypes, checkPartHead, checkPartName, checkRelationships } from './docx-rules'
import { Refusal, type Steps } from './refusal'
import { xmlText } from './xml'
import { allowanceOf, entriesOf, unpack, type ZipEntry } from './zip'

/** Parts that say how the others belong together are read whole; they are small in every document. */
const mostRead = 4 * 1024 * 1024

const isTypes = (name: string) => name.toLowerCase() === '[content_types].xml'
const isRead = (name: string) => isTypes(name) || /\.rels$/i.test(name)

/** What is looked at while a part comes out of its packing; nothing of it is kept but what has to be read whole. */
function* readPart(bytes: Uint8Array, entry: ZipEntry, allowance: { left: number }): Steps<string> {
  const kept: Uint8Array[] = []
  let length = 0
  let head = new Uint8Array()
  const fields = /\.(?:xml|vml|svg)$/i.test(entry.name) ? new FieldWatch() : null
  yield* unpack(bytes, entry, allowance, (part) => {
    if (head.length < 16) head = new Uint8Array([...head, ...part.subarray(0, 16 - head.length)])
    fields?.see(part)
    length += part.length
    if (!isRead(entry.name)) return
    if (length > mostRead) throw new Refusal('wordTooLarge')
    kept.push(part.slice())
  })
  checkPartHead(head)
  if (!isRead(entry.name)) return ''
  const whole = new Uint8Array(length)
  kept.reduce((at, part) => {
    whole.set(part, at)
    return at + part.length
  }, 0)
  return xmlText(whole)
}

/** Names of parts are told apart without regard to case, and archives write them with or without a slash in front. */
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** What the parts that are read whole say of the package. */
type Told = { types: string; roots: readonly string[] }

function* readParts(bytes: Uint8Array, entries: readonly ZipEntry[]): Steps<Told> {
  const allowance = allowanceOf(bytes)
  const told: Told = { types: '', roots: [] }
  for (const entry of entries) {
    checkPartName(entry.name)
    const text = yield* readPart(bytes, entry, allowance)
    if (isTypes(entry.name)) told.types = checkContentTypes(text)
    else if (isRead(entry.name)) {
      const roots = checkRelationships(text)
      if (same(entry.name, '_rels/.rels')) told.roots = roots
    }
  }
  return told
}

/** Unpacks every part of a Word document and reads those that say what it is made of and what it loads. */
export function* checkDocx(bytes: Uint8Array): Steps {
  const entries = entriesOf(bytes)
  if (!entries.some(({ name }) => isTypes(name))) throw new Refusal('wordOther')
  // What it is comes before what it holds, so that a spreadsheet is told to be one.
  const ordered = [...entries.filter(({ name }) => isTypes(name)), ...entries.filter(({ name }) => !isTypes(name))]
  const { types: main, roots } = yield* readParts(bytes, ordered)
  const isWhole = roots.length === 1 && same(roots[0] ?? '', main) && entries.some(({ name }) => same(name, main))
  if (!isWhole) throw new Refusal('wordDamaged')
}
