import { createWordTable, type OlePart, writeCompoundFile, writeWordText } from './doc-writer'
import { goodPngs } from './png'
import {
  badSample,
  createNoise,
  encodeLatin1,
  goodSample,
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
    const file = Buffer.from(createDoc())
    file.set(values, at)
    return file
  }

const createDocWithPieces = (pieces: Parameters<typeof createWordTable>[0]) => () =>
  writeCompoundFile([
    { name: 'WordDocument', bytes: writeWordText({ pieces: [...(pieces ?? [])] }) },
    createWordTable(pieces),
    objectPart,
  ])

const buildFieldText = (instruction: string) => `See \x13${instruction}\x14here\x15.\r`

export const goodDocs: SampleFile[] = [
  goodSample('letter.doc', 'as Word writes it', () => createDoc()),
  goodSample('large-sectors.doc', 'with large sectors', () => createDoc([], 4)),
  goodSample('pictures.DOC', 'with pictures', () =>
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
  goodSample('pool.doc', 'with an empty pool of objects', () =>
    createDoc([{ name: 'ObjectPool', parts: [] }]),
  ),
  goodSample('signed.doc', 'with properties and a signature', () =>
    createDoc([
      { name: '\x05DocumentSummaryInformation', bytes: createNoise(300) },
      { name: '_xmlsignatures', parts: [{ name: '1', bytes: createNoise(900) }] },
    ]),
  ),
  goodSample('short.doc', 'a short one, in small sectors', () =>
    writeCompoundFile([
      { name: 'WordDocument', bytes: writeWordText({ size: 2000 }) },
      wordTablePart,
      objectPart,
    ]),
  ),
  goodSample('large.doc', 'with the table of a large file', () =>
    createDoc([{ name: 'Data', bytes: createNoise(4_000_000) }]),
  ),
  goodSample('about.doc', 'with text that speaks of macros', () =>
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
  goodSample(
    'fields.doc',
    'with fields, one of which links to a page about DDE',
    createDocWithPieces([{ text: buildFieldText(' HYPERLINK "https://example.com/dde" ') }]),
  ),
  goodSample(
    'wide.doc',
    'with text of two bytes a character',
    createDocWithPieces([{ text: 'Ich bevollmächtige Sie – für €.\r', wide: true }]),
  ),
]

export const badDocs: SampleFile[] = [
  badSample(
    'external',
    'dde.doc',
    'a field that starts a program',
    createDocWithPieces([{ text: buildFieldText('DDEAUTO c:\\windows\\system32\\cmd.exe') }]),
  ),
  badSample(
    'external',
    'dde-wide.doc',
    'such a field in two bytes a character',
    createDocWithPieces([{ text: buildFieldText(' dde cmd'), wide: true }]),
  ),
  badSample(
    'external',
    'dde-pieces.doc',
    'such a field in pieces',
    createDocWithPieces([
      { text: 'See \x13 DDE' },
      { text: 'AUTO "c:\\cmd"', wide: true },
      { text: '\x15.\r' },
    ]),
  ),
  badSample('damaged', 'no-table.doc', 'without the table of its pieces', () =>
    writeCompoundFile([{ name: 'WordDocument', bytes: writeWordText() }]),
  ),
  badSample('damaged', 'long-piece.doc', 'a piece that is longer than its text', () =>
    writeCompoundFile([
      { name: 'WordDocument', bytes: writeWordText() },
      createWordTable([{ text: 'x'.repeat(9000) }]),
    ]),
  ),
  badSample('macros', 'macros.doc', 'macros', () =>
    createDoc([{ name: 'Macros', parts: [vbaPart, { name: 'PROJECT', bytes: createNoise(400) }] }]),
  ),
  badSample('macros', 'deep.doc', 'macros deep inside', () =>
    createDoc([{ name: 'a', parts: [{ name: 'b', parts: [vbaPart] }] }]),
  ),
  badSample('macros', 'macros4.doc', 'macros, with large sectors', () =>
    createDoc([{ name: 'Macros', parts: [vbaPart] }], 4),
  ),
  badSample('embedded', 'object.doc', 'an embedded object', () =>
    createDoc([
      {
        name: 'ObjectPool',
        parts: [
          { name: '_1234567890', parts: [{ name: '\x01Ole10Native', bytes: windowsProgramBytes }] },
        ],
      },
    ]),
  ),
  badSample('embedded', 'package.doc', 'a package', () =>
    createDoc([{ name: 'Package', bytes: windowsProgramBytes }]),
  ),
  badSample('password', 'locked.doc', 'a locked document of the new kind', () =>
    writeCompoundFile([
      { name: 'EncryptedPackage', bytes: createNoise(9000) },
      { name: 'EncryptionInfo', bytes: createNoise(200) },
    ]),
  ),
  badSample('password', 'locked.docx', 'that, by the name of the new kind', () =>
    writeCompoundFile([{ name: 'EncryptedPackage', bytes: createNoise(9000) }]),
  ),
  badSample('password', 'password.doc', 'a password', createDocWithText({ flags: 0x1300 })),
  badSample(
    'old',
    'word6.doc',
    'a document from before Word 97',
    createDocWithText({ ident: 0xa5dc, version: 0x65 }),
  ),
  badSample('kind', 'sheet.doc', 'a spreadsheet', () =>
    writeCompoundFile([{ name: 'Workbook', bytes: createNoise(9000) }]),
  ),
  badSample('kind', 'setup.doc', 'an installer', () =>
    writeCompoundFile([{ name: 'Binary.setup', bytes: windowsProgramBytes }, summaryPart]),
  ),
  badSample('damaged', 'head.doc', 'only its first bytes', () =>
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  ),
  badSample('damaged', 'cut.doc', 'cut off', () => createDoc().subarray(0, 4000)),
  badSample('damaged', 'no-text.doc', 'a text that is none', createDocWithText({ ident: 0 })),
  badSample(
    'damaged',
    'circle.doc',
    'a directory that runs in a circle',
    createDocWithDirectoryLoop,
  ),
  badSample(
    'damaged',
    'outside.doc',
    'a directory outside of the file',
    createDocWithBytes(0x30, 0xff, 0xff, 0, 0),
  ),
  badSample(
    'damaged',
    'tables.doc',
    'more tables than bytes',
    createDocWithBytes(0x2c, 0xff, 0xff, 0xff, 0x7f),
  ),
  badSample('damaged', 'sectors.doc', 'sectors of no size', createDocWithBytes(0x1e, 0, 0)),
  badSample('damaged', 'exe.doc', 'a program behind it', () =>
    Buffer.concat([createDoc(), windowsProgramBytes]),
  ),
  badSample('polyglot', 'zip.doc', 'an archive behind it', () =>
    Buffer.concat([createDoc(), writeZip([{ name: 'a.class', data: 'a' }])]),
  ),
  badSample('kind', 'page.doc', 'a page by the name of a document', () =>
    encodeLatin1('<html><script>alert(1)</script></html>'),
  ),
  badSample(
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
