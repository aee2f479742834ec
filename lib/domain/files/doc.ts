import { type CFB$Container, type CFB$Entry, read } from 'cfb'
import { toDataView } from './bytes'
import { isProgramInstruction, listFieldInstructions, readDocText } from './doc-text'
import { FileRefusal, type PausableCheck, type ProblemId } from './refusal'

/** `free` marks a free sector; values below `first` are sector numbers ([MS-CFB] 2.1). */
const sectorMarks = { free: 0xffffffff, first: 0xfffffffa }

const storageEntryType = 1
const streamEntryType = 2

type RawSectors = NonNullable<CFB$Container['raw']>

const readUint32s = (bytes: Uint8Array, from = 0, to = bytes.length): number[] => {
  const view = toDataView(bytes)
  return Array.from({ length: Math.floor((to - from) / 4) }, (_, index) =>
    view.getUint32(from + 4 * index, true),
  )
}

/**
 * The sector table is itself stored in sectors. The header lists the first 109 of them, and a chain
 * of sectors lists the others.
 */
function readSectorTable({
  header,
  sectors,
}: {
  header: Uint8Array
  sectors: readonly Uint8Array[]
}): number[] {
  const view = toDataView(header)
  const tableSectors = readUint32s(header, 0x4c, 0x200)
  let nextChainSector = view.getUint32(0x44, true)
  for (let count = 0; nextChainSector < sectorMarks.first; count += 1) {
    const chainSector = sectors[nextChainSector]
    if (!chainSector || count > sectors.length) throw new FileRefusal('wordDamaged')
    const listedSectors = readUint32s(chainSector)
    nextChainSector = listedSectors.pop() ?? sectorMarks.free
    tableSectors.push(...listedSectors)
  }
  const usedSectors = tableSectors
    .filter((sector) => sector < sectorMarks.first)
    .slice(0, view.getUint32(0x2c, true))
  if (usedSectors.length < view.getUint32(0x2c, true)) throw new FileRefusal('wordDamaged')
  return usedSectors.flatMap((sector) => readUint32s(sectors[sector] ?? new Uint8Array()))
}

/** The library ignores data after the last used sector, so no other check would find it. */
function refuseTrailingData({ header, sectors }: RawSectors): void {
  const rawSectorsCopy = {
    header: Uint8Array.from(header),
    sectors: sectors.map((sector) => Uint8Array.from(sector)),
  }
  const lastUsedSector = readSectorTable(rawSectorsCopy).findLastIndex(
    (mark) => mark !== sectorMarks.free,
  )
  const isPadding = (byte: number) => byte === 0 || byte >= 0xfd
  if (!rawSectorsCopy.sectors.slice(lastUsedSector + 1).every((sector) => sector.every(isPadding)))
    throw new FileRefusal('wordDamaged')
}

/** Refused names of storages and streams at any level. A leading control character is ignored. */
const bannedNameRules: readonly [RegExp, ProblemId][] = [
  [/^encryptedpackage$|^encryptioninfo$|^dataspaces$/i, 'wordPassword'],
  [/^macros$|^vba$|^_vba_project(?:_cur)?$|^project(?:wm)?$|^dir$/i, 'wordMacros'],
  [/^ole10native$|^package$|^ocxname$|^ocxdata$|^objinfo$/i, 'wordEmbedded'],
]

const normalizeName = ({ name }: CFB$Entry) => name.replace(/^\p{Cc}/u, '')

function checkEntryNames({ FileIndex, FullPaths }: CFB$Container): void {
  const entryNames = FileIndex.filter(
    ({ type }) => type === storageEntryType || type === streamEntryType,
  ).map(normalizeName)
  for (const [name, problem] of bannedNameRules)
    if (entryNames.some((each) => name.test(each))) throw new FileRefusal(problem)
  // Word writes an empty `ObjectPool`, the storage of embedded objects, also without objects.
  if (FullPaths.some((path) => /\/ObjectPool\/./.test(path))) throw new FileRefusal('wordEmbedded')
}

/** Checks the document header ([MS-DOC] 2.5.2). */
function checkHeader(mainStream: Uint8Array): void {
  const view = toDataView(mainStream)
  if (view.getUint16(0, true) !== 0xa5ec)
    throw new FileRefusal(view.getUint16(0, true) === 0xa5dc ? 'wordOld' : 'wordDamaged')
  if (view.getUint16(2, true) < 0xc1) throw new FileRefusal('wordOld')
  const headerFlags = view.getUint16(10, true)
  if ((headerFlags & 0x8100) !== 0) throw new FileRefusal('wordPassword')
}

/** Checks an old Word document and refuses anything other than text and pictures. */
export function* checkDoc(bytes: Uint8Array): PausableCheck {
  const compoundFile = read(bytes, { type: 'array', raw: true })
  yield
  if (compoundFile.raw) refuseTrailingData(compoundFile.raw)
  checkEntryNames(compoundFile)
  const readStream = (name: string) => {
    const streamEntry = compoundFile.FileIndex.find(
      (entry) => entry.type === streamEntryType && entry.name === name,
    )
    return streamEntry ? Uint8Array.from(streamEntry.content) : null
  }
  const documentStream = readStream('WordDocument')
  if (!documentStream) throw new FileRefusal('docOther')
  checkHeader(documentStream)
  yield
  if (listFieldInstructions(readDocText(documentStream, readStream)).some(isProgramInstruction))
    throw new FileRefusal('wordExternal')
}
