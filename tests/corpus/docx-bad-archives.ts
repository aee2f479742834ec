import {
  createDocumentParts,
  createDocx,
  createDocxWithPart,
  createDocxWithReplacedPart,
  writeContentTypes,
  writeDocument,
} from './docx-writer'
import { createBadSample, encodeLatin1, type SampleFile, windowsProgramBytes } from './sample'
import { writeZip } from './zip-writer'

const createZipBombContent = () => Buffer.alloc(200_000_000)
const createDocxInArchive = (archive: Parameters<typeof writeZip>[1]) => () =>
  writeZip(createDocumentParts(), archive)
const externalEntity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'

/** Word documents whose archive is harmful, damaged or unusual. */
export const badDocxArchives: SampleFile[] = [
  createBadSample('unpacked', 'bomb.docx', 'a bomb: 200 MB of zeros', () =>
    createDocx([{ name: 'word/media/image1.bmp', data: createZipBombContent() }]),
  ),
  createBadSample('unpacked', 'lying-bomb.docx', 'a bomb that tells a small size', () =>
    createDocx([{ name: 'word/media/image1.bmp', data: createZipBombContent(), size: 1000 }]),
  ),
  createBadSample(
    'unpacked',
    'ratio.docx',
    'a small one that unpacks to two hundred times its size',
    () => createDocx([{ name: 'word/media/image1.bmp', data: Buffer.alloc(3_000_000) }]),
  ),
  createBadSample('damaged', 'overlap.docx', 'entries that share their data', () =>
    createDocx(
      Array.from({ length: 50 }, (_, at) => ({
        name: `word/a${at}.xml`,
        data: '<a/>',
        headerName: 'word/a0.xml',
        shared: at > 0,
      })),
    ),
  ),
  createBadSample('entries', 'many.docx', '1,001 entries', () =>
    createDocx(
      Array.from({ length: 1001 }, (_, at) => ({ name: `word/a${at}.xml`, data: '<a/>' })),
    ),
  ),
  createBadSample(
    'damaged',
    'climb.docx',
    'a name that climbs',
    createDocxWithPart({ name: '../../startup/a.xml', data: '<a/>' }),
  ),
  createBadSample(
    'damaged',
    'root.docx',
    'a name from the root',
    createDocxWithPart({ name: '/etc/a.xml', data: '<a/>' }),
  ),
  createBadSample(
    'damaged',
    'slash.docx',
    'a name with the slashes of Windows',
    createDocxWithPart({ name: 'word\\..\\a.xml', data: '<a/>' }),
  ),
  createBadSample(
    'damaged',
    'twice.docx',
    'the same part twice',
    createDocxWithPart({ name: 'WORD/document.xml', data: writeDocument() }),
  ),
  createBadSample(
    'password',
    'locked.docx',
    'an encrypted entry',
    createDocxWithPart({ name: 'word/a.xml', data: '<a/>', flags: 1 }),
  ),
  createBadSample(
    'damaged',
    'names.docx',
    'another name in an entry than in the directory',
    createDocxWithPart({ name: 'word/a.xml', headerName: 'word/b.xml', data: '<a/>' }),
  ),
  createBadSample(
    'damaged',
    'crc.docx',
    'a wrong checksum',
    createDocxWithPart({ name: 'word/a.xml', data: '<a/>', crc: 5 }),
  ),
  createBadSample(
    'damaged',
    'method.docx',
    'an unusual way of packing',
    createDocxWithPart({ name: 'word/a.xml', data: '<a/>', method: 14 }),
  ),
  createBadSample('kind', 'before.docx', 'a program in front', () =>
    Buffer.concat([windowsProgramBytes, createDocx()]),
  ),
  createBadSample(
    'damaged',
    'between.docx',
    'data between its entries',
    createDocxInArchive({ between: windowsProgramBytes }),
  ),
  createBadSample(
    'damaged',
    'after.docx',
    'data behind it',
    createDocxInArchive({ after: windowsProgramBytes }),
  ),
  createBadSample(
    'damaged',
    'archive-comment.docx',
    'a comment',
    createDocxInArchive({ comment: 'MZ and more' }),
  ),
  createBadSample(
    'damaged',
    'count.docx',
    'a count that is not true',
    createDocxInArchive({ entries: 3 }),
  ),
  createBadSample('damaged', 'cut.docx', 'cut off', () => createDocx().subarray(0, 900)),
  createBadSample('damaged', 'head.docx', 'only its first bytes', () =>
    encodeLatin1('PK\x03\x04 word/document.xml [Content_Types].xml'),
  ),
  createBadSample(
    'damaged',
    'entity.docx',
    'entities in its types',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes().replace('<Types', `${externalEntity}<Types`),
    ),
  ),
  createBadSample(
    'damaged',
    'text-entity.docx',
    'entities in its text',
    createDocxWithReplacedPart('word/document.xml', `${externalEntity}${writeDocument()}`),
  ),
]
