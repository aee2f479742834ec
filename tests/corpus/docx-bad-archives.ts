import {
  createDocumentParts,
  createDocx,
  createDocxWithPart,
  createDocxWithReplacedPart,
  writeContentTypes,
  writeDocument,
} from './docx-writer'
import { badSample, encodeLatin1, type SampleFile, windowsProgramBytes } from './sample'
import { writeZip } from './zip-writer'

const createBomb = () => Buffer.alloc(200_000_000)
const createDocxInArchive = (archive: Parameters<typeof writeZip>[1]) => () =>
  writeZip(createDocumentParts(), archive)
const externalEntity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'

/** Word documents whose archive is harmful, damaged or unusual. */
export const badDocxArchives: SampleFile[] = [
  badSample('unpacked', 'bomb.docx', 'a bomb: 200 MB of zeros', () =>
    createDocx([{ name: 'word/media/image1.bmp', data: createBomb() }]),
  ),
  badSample('unpacked', 'lying-bomb.docx', 'a bomb that tells a small size', () =>
    createDocx([{ name: 'word/media/image1.bmp', data: createBomb(), size: 1000 }]),
  ),
  badSample(
    'unpacked',
    'ratio.docx',
    'a small one that unpacks to two hundred times its size',
    () => createDocx([{ name: 'word/media/image1.bmp', data: Buffer.alloc(3_000_000) }]),
  ),
  badSample('damaged', 'overlap.docx', 'entries that share their data', () =>
    createDocx(
      Array.from({ length: 50 }, (_, at) => ({
        name: `word/a${at}.xml`,
        data: '<a/>',
        headerName: 'word/a0.xml',
        shared: at > 0,
      })),
    ),
  ),
  badSample('entries', 'many.docx', '1,001 entries', () =>
    createDocx(
      Array.from({ length: 1001 }, (_, at) => ({ name: `word/a${at}.xml`, data: '<a/>' })),
    ),
  ),
  badSample(
    'damaged',
    'climb.docx',
    'a name that climbs',
    createDocxWithPart({ name: '../../startup/a.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'root.docx',
    'a name from the root',
    createDocxWithPart({ name: '/etc/a.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'slash.docx',
    'a name with the slashes of Windows',
    createDocxWithPart({ name: 'word\\..\\a.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'twice.docx',
    'the same part twice',
    createDocxWithPart({ name: 'WORD/document.xml', data: writeDocument() }),
  ),
  badSample(
    'password',
    'locked.docx',
    'an encrypted entry',
    createDocxWithPart({ name: 'word/a.xml', data: '<a/>', flags: 1 }),
  ),
  badSample(
    'damaged',
    'names.docx',
    'another name in an entry than in the directory',
    createDocxWithPart({ name: 'word/a.xml', headerName: 'word/b.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'crc.docx',
    'a wrong checksum',
    createDocxWithPart({ name: 'word/a.xml', data: '<a/>', crc: 5 }),
  ),
  badSample(
    'damaged',
    'method.docx',
    'an unusual way of packing',
    createDocxWithPart({ name: 'word/a.xml', data: '<a/>', method: 14 }),
  ),
  badSample('kind', 'before.docx', 'a program in front', () =>
    Buffer.concat([windowsProgramBytes, createDocx()]),
  ),
  badSample(
    'damaged',
    'between.docx',
    'data between its entries',
    createDocxInArchive({ between: windowsProgramBytes }),
  ),
  badSample(
    'damaged',
    'after.docx',
    'data behind it',
    createDocxInArchive({ after: windowsProgramBytes }),
  ),
  badSample(
    'damaged',
    'archive-comment.docx',
    'a comment',
    createDocxInArchive({ comment: 'MZ and more' }),
  ),
  badSample(
    'damaged',
    'count.docx',
    'a count that is not true',
    createDocxInArchive({ entries: 3 }),
  ),
  badSample('damaged', 'cut.docx', 'cut off', () => createDocx().subarray(0, 900)),
  badSample('damaged', 'head.docx', 'only its first bytes', () =>
    encodeLatin1('PK\x03\x04 word/document.xml [Content_Types].xml'),
  ),
  badSample(
    'damaged',
    'entity.docx',
    'entities in its types',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes().replace('<Types', `${externalEntity}<Types`),
    ),
  ),
  badSample(
    'damaged',
    'text-entity.docx',
    'entities in its text',
    createDocxWithReplacedPart('word/document.xml', `${externalEntity}${writeDocument()}`),
  ),
]
