import { type Part, wordTable, wordText, writeCompound } from './doc-writer'
import { goodPngs } from './png'
import { badSample, goodSample, latin, noise, program, type Sample, toBytes } from './sample'
import { writeZip } from './zip-writer'

const summary: Part = { name: '\x05SummaryInformation', bytes: noise(4096, 2) }
const table = wordTable()
const object: Part = { name: '\x01CompObj', bytes: noise(114, 4) }
const text: Part = { name: 'WordDocument', bytes: wordText() }
const baseParts = [text, table, object, summary]

const doc = (more: readonly Part[] = [], version: 3 | 4 = 3) => writeCompound([...baseParts, ...more], version)
const vba: Part = {
  name: 'VBA',
  parts: [
    { name: 'dir', bytes: noise(200) },
    { name: '_VBA_PROJECT', bytes: noise(300) },
  ],
}
const docWithText = (fields: Parameters<typeof wordText>[0]) => () =>
  writeCompound([{ name: 'WordDocument', bytes: wordText(fields) }, table])

const docWithBytes =
  (at: number, ...values: number[]) =>
  () => {
    const file = Buffer.from(doc())
    file.set(values, at)
    return file
  }

const docWithPieces = (pieces: Parameters<typeof wordTable>[0]) => () =>
  writeCompound([{ name: 'WordDocument', bytes: wordText({ pieces: [...(pieces ?? [])] }) }, wordTable(pieces), object])

const fieldText = (instruction: string) => `See \x13${instruction}\x14here\x15.\r`

export const goodDocs: Sample[] = [
  goodSample('letter.doc', 'as Word writes it', () => doc()),
  goodSample('large-sectors.doc', 'with large sectors', () => doc([], 4)),
  goodSample('pictures.DOC', 'with pictures', () =>
    doc([{ name: 'Data', bytes: Buffer.concat([noise(68), goodPngs[0]?.make() ?? noise(9), noise(90_000)]) }]),
  ),
  goodSample('pool.doc', 'with an empty pool of objects', () => doc([{ name: 'ObjectPool', parts: [] }])),
  goodSample('signed.doc', 'with properties and a signature', () =>
    doc([
      { name: '\x05DocumentSummaryInformation', bytes: noise(300) },
      { name: '_xmlsignatures', parts: [{ name: '1', bytes: noise(900) }] },
    ]),
  ),
  goodSample('short.doc', 'a short one, in small sectors', () =>
    writeCompound([{ name: 'WordDocument', bytes: wordText({ size: 2000 }) }, table, object]),
  ),
  goodSample('large.doc', 'with the table of a large file', () => doc([{ name: 'Data', bytes: noise(4_000_000) }])),
  goodSample('about.doc', 'with text that speaks of macros', () =>
    doc([{ name: 'Data', bytes: Buffer.concat([Buffer.from('The stream _VBA_PROJECT', 'utf16le'), noise(5000)]) }]),
  ),
  goodSample(
    'fields.doc',
    'with fields, one of which links to a page about DDE',
    docWithPieces([{ text: fieldText(' HYPERLINK "https://example.com/dde" ') }]),
  ),
  goodSample('wide.doc', 'with text of two bytes a character', docWithPieces([{ text: 'Ich bevollmächtige Sie – für €.\r', wide: true }])),
]

export const badDocs: Sample[] = [
  badSample(
    'external',
    'dde.doc',
    'a field that starts a program',
    docWithPieces([{ text: fieldText('DDEAUTO c:\\windows\\system32\\cmd.exe') }]),
  ),
  badSample(
    'external',
    'dde-wide.doc',
    'such a field in two bytes a character',
    docWithPieces([{ text: fieldText(' dde cmd'), wide: true }]),
  ),
  badSample(
    'external',
    'dde-pieces.doc',
    'such a field in pieces',
    docWithPieces([{ text: 'See \x13 DDE' }, { text: 'AUTO "c:\\cmd"', wide: true }, { text: '\x15.\r' }]),
  ),
  badSample('damaged', 'no-table.doc', 'without the table of its pieces', () =>
    writeCompound([{ name: 'WordDocument', bytes: wordText() }]),
  ),
  badSample('damaged', 'long-piece.doc', 'a piece that is longer than its text', () =>
    writeCompound([{ name: 'WordDocument', bytes: wordText() }, wordTable([{ text: 'x'.repeat(9000) }])]),
  ),
  badSample('macros', 'macros.doc', 'macros', () => doc([{ name: 'Macros', parts: [vba, { name: 'PROJECT', bytes: noise(400) }] }])),
  badSample('macros', 'deep.doc', 'macros deep inside', () => doc([{ name: 'a', parts: [{ name: 'b', parts: [vba] }] }])),
  badSample('macros', 'macros4.doc', 'macros, with large sectors', () => doc([{ name: 'Macros', parts: [vba] }], 4)),
  badSample('embedded', 'object.doc', 'an embedded object', () =>
    doc([{ name: 'ObjectPool', parts: [{ name: '_1234567890', parts: [{ name: '\x01Ole10Native', bytes: program }] }] }]),
  ),
  badSample('embedded', 'package.doc', 'a package', () => doc([{ name: 'Package', bytes: program }])),
  badSample('password', 'locked.doc', 'a locked document of the new kind', () =>
    writeCompound([
      { name: 'EncryptedPackage', bytes: noise(9000) },
      { name: 'EncryptionInfo', bytes: noise(200) },
    ]),
  ),
  badSample('password', 'locked.docx', 'that, by the name of the new kind', () =>
    writeCompound([{ name: 'EncryptedPackage', bytes: noise(9000) }]),
  ),
  badSample('password', 'password.doc', 'a password', docWithText({ flags: 0x1300 })),
  badSample('old', 'word6.doc', 'a document from before Word 97', docWithText({ ident: 0xa5dc, version: 0x65 })),
  badSample('kind', 'sheet.doc', 'a spreadsheet', () => writeCompound([{ name: 'Workbook', bytes: noise(9000) }])),
  badSample('kind', 'setup.doc', 'an installer', () => writeCompound([{ name: 'Binary.setup', bytes: program }, summary])),
  badSample('damaged', 'head.doc', 'only its first bytes', () => Buffer.from('d0cf11e0a1b11ae1', 'hex')),
  badSample('damaged', 'cut.doc', 'cut off', () => doc().subarray(0, 4000)),
  badSample('damaged', 'no-text.doc', 'a text that is none', docWithText({ ident: 0 })),
  badSample('damaged', 'circle.doc', 'a directory that runs in a circle', docWithDirectoryLoop),
  badSample('damaged', 'outside.doc', 'a directory outside of the file', docWithBytes(0x30, 0xff, 0xff, 0, 0)),
  badSample('damaged', 'tables.doc', 'more tables than bytes', docWithBytes(0x2c, 0xff, 0xff, 0xff, 0x7f)),
  badSample('damaged', 'sectors.doc', 'sectors of no size', docWithBytes(0x1e, 0, 0)),
  badSample('damaged', 'exe.doc', 'a program behind it', () => Buffer.concat([doc(), program])),
  badSample('polyglot', 'zip.doc', 'an archive behind it', () => Buffer.concat([doc(), writeZip([{ name: 'a.class', data: 'a' }])])),
  badSample('kind', 'page.doc', 'a page by the name of a document', () => latin('<html><script>alert(1)</script></html>')),
  badSample('kind', 'program.doc', 'a program by the name of a document', () => program),
]

/** Returns a file in which the chain of directory sectors leads back to its own start. */
function docWithDirectoryLoop(): Buffer {
  const file = Buffer.from(doc())
  const [directory, tables] = [file.readUInt32LE(0x30), file.readUInt32LE(0x4c)]
  file.set(toBytes(directory & 255, directory >>> 8, 0, 0), 512 * (tables + 1) + 4 * directory)
  return file
}
