import { createWordTable, type OlePart, writeCompoundFile, writeWordText } from './doc-writer'
import { goodPngs } from './png'
import {
  createBadSample,
  createGoodSample,
  createNoise,
  encodeLatin1,
  type SampleFile,
  toBytes,
  windowsProgramBytes,
} from './sample'
import { writeZip } from './zip-writer'

const summaryPart: OlePart = { name: '\x05SummaryInformation', bytes: createNoise(4096, 2) }
const wordTablePart = createWordTable()
const objectPart: OlePart = { name: '\x01CompObj', bytes: createNoise(114, 4) }
const wordTextPart: OlePart = { name: 'WordDocument', bytes: writeWordText() }
const baseParts = [wordTextPart, wordTablePart, objectPart, summaryPart]

const createDoc = (moreParts: readonly OlePart[] = [], version: 3 | 4 = 3) =>
  writeCompoundFile([...baseParts, ...moreParts], version)
const vbaPart: OlePart = {
  name: 'VBA',
  parts: [
    { name: 'dir', bytes: createNoise(200) },
    { name: '_VBA_PROJECT', bytes: createNoise(300) },
  ],
}
const createDocWithText = (fields: Parameters<typeof writeWordText>[0]) => () =>
  writeCompoundFile([{ name: 'WordDocument', bytes: writeWordText(fields) }, wordTablePart])

const createDocWithBytes =
  (at: number, ...values: number[]) =>
  () => {
    const docBytes = Buffer.from(createDoc())
    docBytes.set(values, at)
    return docBytes
  }

const createDocWithPieces = (pieces: Parameters<typeof createWordTable>[0]) => () =>
  writeCompoundFile([
    { name: 'WordDocument', bytes: writeWordText({ pieces: [...(pieces ?? [])] }) },
    createWordTable(pieces),
    objectPart,
  ])

const buildFieldText = (instruction: string) => `See \x13${instruction}\x14here\x15.\r`

export const goodDocs: SampleFile[] = [
  createGoodSample('letter.doc', 'as Word writes it', () => createDoc()),
  createGoodSample('large-sectors.doc', 'with large sectors', () => createDoc([], 4)),
  createGoodSample('pictures.DOC', 'with pictures', () =>
    createDoc([
      {
        name: 'Data',
        bytes: Buffer.concat([
          createNoise(68),
          goodPngs[0]?.make() ?? createNoise(9),
          createNoise(90_000),
        ]),
      },
    ]),
  ),
  createGoodSample('pool.doc', 'with an empty pool of objects', () =>
    createDoc([{ name: 'ObjectPool', parts: [] }]),
  ),
  createGoodSample('signed.doc', 'with properties and a signature', () =>
    createDoc([
      { name: '\x05DocumentSummaryInformation', bytes: createNoise(300) },
      { name: '_xmlsignatures', parts: [{ name: '1', bytes: createNoise(900) }] },
    ]),
  ),
  createGoodSample('short.doc', 'a short one, in small sectors', () =>
    writeCompoundFile([
      { name: 'WordDocument', bytes: writeWordText({ size: 2000 }) },
      wordTablePart,
      objectPart,
    ]),
  ),
  createGoodSample('large.doc', 'with the table of a large file', () =>
    createDoc([{ name: 'Data', bytes: createNoise(4_000_000) }]),
  ),
  createGoodSample('about.doc', 'with text that speaks of macros', () =>
    createDoc([
      {
        name: 'Data',
        bytes: Buffer.concat([
          Buffer.from('The stream _VBA_PROJECT', 'utf16le'),
          createNoise(5000),
        ]),
      },
    ]),
  ),
  createGoodSample(
    'fields.doc',
    'with fields, one of which links to a page about DDE',
    createDocWithPieces([{ text: buildFieldText(' HYPERLINK "https://example.com/dde" ') }]),
  ),
  createGoodSample(
    'wide.doc',
    'with text of two bytes a character',
    createDocWithPieces([{ text: 'Ich bevollmächtige Sie – für €.\r', wide: true }]),
  ),
]

export const badDocs: SampleFile[] = [
  createBadSample(
    'external',
    'dde.doc',
    'a field that starts a program',
    createDocWithPieces([{ text: buildFieldText('DDEAUTO c:\\windows\\system32\\cmd.exe') }]),
  ),
  createBadSample(
    'external',
    'dde-wide.doc',
    'such a field in two bytes a character',
    createDocWithPieces([{ text: buildFieldText(' dde cmd'), wide: true }]),
  ),
  createBadSample(
    'external',
    'dde-pieces.doc',
    'such a field in pieces',
    createDocWithPieces([
      { text: 'See \x13 DDE' },
      { text: 'AUTO "c:\\cmd"', wide: true },
      { text: '\x15.\r' },
    ]),
  ),
  createBadSample('damaged', 'no-table.doc', 'without the table of its pieces', () =>
    writeCompoundFile([{ name: 'WordDocument', bytes: writeWordText() }]),
  ),
  createBadSample('damaged', 'long-piece.doc', 'a piece that is longer than its text', () =>
    writeCompoundFile([
      { name: 'WordDocument', bytes: writeWordText() },
      createWordTable([{ text: 'x'.repeat(9000) }]),
    ]),
  ),
  createBadSample('macros', 'macros.doc', 'macros', () =>
    createDoc([{ name: 'Macros', parts: [vbaPart, { name: 'PROJECT', bytes: createNoise(400) }] }]),
  ),
  createBadSample('macros', 'deep.doc', 'macros deep inside', () =>
    createDoc([{ name: 'a', parts: [{ name: 'b', parts: [vbaPart] }] }]),
  ),
  createBadSample('macros', 'macros4.doc', 'macros, with large sectors', () =>
    createDoc([{ name: 'Macros', parts: [vbaPart] }], 4),
  ),
  createBadSample('embedded', 'object.doc', 'an embedded object', () =>
    createDoc([
      {
        name: 'ObjectPool',
        parts: [
          { name: '_1234567890', parts: [{ name: '\x01Ole10Native', bytes: windowsProgramBytes }] },
        ],
      },
    ]),
  ),
  createBadSample('embedded', 'package.doc', 'a package', () =>
    createDoc([{ name: 'Package', bytes: windowsProgramBytes }]),
  ),
  createBadSample('password', 'locked.doc', 'a locked document of the new kind', () =>
    writeCompoundFile([
      { name: 'EncryptedPackage', bytes: createNoise(9000) },
      { name: 'EncryptionInfo', bytes: createNoise(200) },
    ]),
  ),
  createBadSample('password', 'locked.docx', 'that, by the name of the new kind', () =>
    writeCompoundFile([{ name: 'EncryptedPackage', bytes: createNoise(9000) }]),
  ),
  createBadSample('password', 'password.doc', 'a password', createDocWithText({ flags: 0x1300 })),
  createBadSample(
    'old',
    'word6.doc',
    'a document from before Word 97',
    createDocWithText({ ident: 0xa5dc, version: 0x65 }),
  ),
  createBadSample('kind', 'sheet.doc', 'a spreadsheet', () =>
    writeCompoundFile([{ name: 'Workbook', bytes: createNoise(9000) }]),
  ),
  createBadSample('kind', 'setup.doc', 'an installer', () =>
    writeCompoundFile([{ name: 'Binary.setup', bytes: windowsProgramBytes }, summaryPart]),
  ),
  createBadSample('damaged', 'head.doc', 'only its first bytes', () =>
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  ),
  createBadSample('damaged', 'cut.doc', 'cut off', () => createDoc().subarray(0, 4000)),
  createBadSample('damaged', 'no-text.doc', 'a text that is none', createDocWithText({ ident: 0 })),
  createBadSample(
    'damaged',
    'circle.doc',
    'a directory that runs in a circle',
    createDocWithDirectoryLoop,
  ),
  createBadSample(
    'damaged',
    'outside.doc',
    'a directory outside of the file',
    createDocWithBytes(0x30, 0xff, 0xff, 0, 0),
  ),
  createBadSample(
    'damaged',
    'tables.doc',
    'more tables than bytes',
    createDocWithBytes(0x2c, 0xff, 0xff, 0xff, 0x7f),
  ),
  createBadSample('damaged', 'sectors.doc', 'sectors of no size', createDocWithBytes(0x1e, 0, 0)),
  createBadSample('damaged', 'exe.doc', 'a program behind it', () =>
    Buffer.concat([createDoc(), windowsProgramBytes]),
  ),
  createBadSample('polyglot', 'zip.doc', 'an archive behind it', () =>
    Buffer.concat([createDoc(), writeZip([{ name: 'a.class', data: 'a' }])]),
  ),
  createBadSample('kind', 'page.doc', 'a page by the name of a document', () =>
    encodeLatin1('<html><script>alert(1)</script></html>'),
  ),
  createBadSample(
    'kind',
    'program.doc',
    'a program by the name of a document',
    () => windowsProgramBytes,
  ),
]

/** Returns a file in which the chain of directory sectors leads back to its own start. */
function createDocWithDirectoryLoop(): Buffer {
  const file = Buffer.from(createDoc())
  const [directoryStart, tableStart] = [file.readUInt32LE(0x30), file.readUInt32LE(0x4c)]
  file.set(
    toBytes(directoryStart & 255, directoryStart >>> 8, 0, 0),
    512 * (tableStart + 1) + 4 * directoryStart,
  )
  return file
}
