import { viewOf } from './bytes'
import { type Compound, type CompoundEntry, readCompound } from './compound'
import { type ProblemId, Refusal, type Steps } from './refusal'

/** What entries of these names say, wherever they are in the file. The control character in front of some is left out. */
const telling: readonly [RegExp, ProblemId][] = [
  [/^encryptedpackage$|^encryptioninfo$|^dataspaces$/i, 'wordPassword'],
  [/^macros$|^vba$|^_vba_project(?:_cur)?$|^project(?:wm)?$|^dir$/i, 'wordMacros'],
  [/^ole10native$|^package$|^ocxname$|^ocxdata$|^objinfo$/i, 'wordEmbedded'],
]

const nameOf = ({ name }: CompoundEntry) => name.replace(/^\p{Cc}/u, '')

/** Entries that are in use; an entry that was taken out stays in the directory with its kind at 0. */
const inUse = ({ kind }: CompoundEntry) => kind === 1 || kind === 2

/** The first fields of the document's own header ([MS-DOC] 2.5.2). */
function checkHeader(head: Uint8Array): void {
  const view = viewOf(head)
  if (view.getUint16(0, true) !== 0xa5ec) throw new Refusal(view.getUint16(0, true) === 0xa5dc ? 'wordOld' : 'wordDamaged')
  if (view.getUint16(2, true) < 0xc1) throw new Refusal('wordOld')
  const flags = view.getUint16(10, true)
  if ((flags & 0x8100) !== 0) throw new Refusal('wordPassword')
}

/** Objects that were put into the document; Word writes their storage even where none is left. */
function refuseObjects({ entries }: Compound): void {
  const pool = entries.find(({ name, kind }) => kind === 1 && name === 'ObjectPool')
  if (pool && pool.child !== 0xffffffff) throw new Refusal('wordEmbedded')
}

/** Reads an old Word document's directory and refuses what is more than text and pictures. */
export function* checkDoc(bytes: Uint8Array): Steps {
  const compound = readCompound(bytes)
  yield
  const entries = compound.entries.filter(inUse)
  for (const [name, problem] of telling) if (entries.some((entry) => name.test(nameOf(entry)))) throw new Refusal(problem)
  refuseObjects(compound)
  const text = entries.find(({ name, kind }) => kind === 2 && name === 'WordDocument')
  if (!text) throw new Refusal('docOther')
  checkHeader(compound.read(text, 32))
}
