import {
  createDocumentParts,
  createDocx,
  createLinksPart,
  mainContentType,
  writeContentTypes,
  writeDocument,
  writeFieldDocument,
  writeRelationships,
} from './docx-writer'
import { badSample, createNoise, encodeLatin1, programBytes, type SampleFile } from './sample'
import { writeZip, type ZipPart } from './zip-writer'

const docxWithLink = (type: string, target: string) => () =>
  createDocx([createLinksPart([{ type, target, external: true }])])
const macroType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
const createBomb = () => Buffer.alloc(200_000_000)
const docxWithReplacedPart = (name: string, data: string) => () => createDocx([{ name, data }])
const docxWithPart = (part: ZipPart) => () => createDocx([part])
const docxInArchive = (archive: Parameters<typeof writeZip>[1]) => () =>
  writeZip(createDocumentParts(), archive)
const encodeUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const macroSamples: SampleFile[] = [
  badSample(
    'macros',
    'macro.docx',
    'macros in their usual place',
    docxWithPart({ name: 'word/vbaProject.bin', data: createNoise(500) }),
  ),
  badSample(
    'macros',
    'docm.docx',
    'the type of a document with macros',
    docxWithReplacedPart('[Content_Types].xml', writeContentTypes(macroType)),
  ),
  badSample(
    'macros',
    'refs.docx',
    'that type, written with character references',
    docxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(macroType.replace('macro', '&#x6d;acro')),
    ),
  ),
  badSample('macros', 'renamed.docx', 'macros under the name of a picture', () =>
    createDocx([createLinksPart([{ type: 'vbaProject', target: 'media/image1.png' }])]),
  ),
  badSample(
    'macros',
    'types.docx',
    'macros told of only in the types',
    docxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(
        mainContentType,
        '<Override PartName="/word/a.xml" ContentType="application/vnd.ms-office.vbaProject"/>',
      ),
    ),
  ),
  badSample('macros', 'wide.docx', 'macros told of in UTF-16', () =>
    createDocx([
      {
        name: '[Content_Types].xml',
        data: encodeUtf16(writeContentTypes(macroType).replace('UTF-8', 'UTF-16')),
      },
    ]),
  ),
]

const kindSamples: SampleFile[] = [
  badSample(
    'kind',
    'sheet.docx',
    'a spreadsheet',
    docxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
      ),
    ),
  ),
  badSample(
    'kind',
    'dotx.docx',
    'a template',
    docxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
      ),
    ),
  ),
  badSample('kind', 'jar.docx', 'a Java archive', () =>
    writeZip([
      { name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0' },
      { name: 'Main.class', data: Buffer.from('cafebabe00', 'hex') },
    ]),
  ),
  badSample(
    'kind',
    'word-jar.docx',
    'a Java archive in a Word document',
    docxWithPart({ name: 'META-INF/MANIFEST.MF', data: 'Main-Class: Main' }),
  ),
  badSample('kind', 'zip.docx', 'any archive with a folder word/', () =>
    writeZip([{ name: 'word/document.xml', data: writeDocument() }]),
  ),
  badSample(
    'kind',
    'comment.docx',
    'its types in a comment',
    docxWithReplacedPart(
      '[Content_Types].xml',
      `<!-- ${writeContentTypes().replace(/<\?.*\?>/, '')} --><Types/>`,
    ),
  ),
  badSample('damaged', 'hollow.docx', 'without the part that is its main one', () =>
    writeZip(createDocumentParts().filter(({ name }) => name !== 'word/document.xml')),
  ),
  badSample('damaged', 'two.docx', 'two main parts', () =>
    createDocx([
      {
        name: '_rels/.rels',
        data: writeRelationships([
          { type: 'officeDocument', target: 'word/document.xml' },
          { type: 'officeDocument', target: 'word/b.xml' },
        ]),
      },
    ]),
  ),
]

const externalSamples: SampleFile[] = [
  badSample(
    'external',
    'template.docx',
    'a template from the web',
    docxWithPart({
      name: 'word/_rels/settings.xml.rels',
      data: writeRelationships([
        { type: 'attachedTemplate', target: 'https://example.com/a.dotm', external: true },
      ]),
    }),
  ),
  badSample(
    'external',
    'share.docx',
    'a template from a share',
    docxWithLink('attachedTemplate', 'file:///\\\\192.0.2.1\\share\\a.dotm'),
  ),
  badSample(
    'external',
    'beacon.docx',
    'a picture from the web',
    docxWithLink('image', 'http://192.0.2.1/a.png'),
  ),
  badSample(
    'embedded',
    'object.docx',
    'an object from the web',
    docxWithLink('oleObject', 'mhtml:https://example.com/a.html!x-usc:https://example.com/a.html'),
  ),
  badSample(
    'external',
    'link.docx',
    'a link that is a script',
    docxWithLink('hyperlink', 'javascript:alert(1)'),
  ),
  badSample(
    'external',
    'dde.docx',
    'a field that starts a program',
    docxWithReplacedPart(
      'word/document.xml',
      writeFieldDocument(' DDEAUTO c:\\windows\\system32\\cmd.exe'),
    ),
  ),
  badSample(
    'external',
    'dde-pieces.docx',
    'such a field in pieces',
    docxWithReplacedPart('word/document.xml', writeFieldDocument(' D', 'DE', 'AU', 'TO "c:\\cmd"')),
  ),
  badSample(
    'external',
    'dde-simple.docx',
    'such a field in short',
    docxWithReplacedPart(
      'word/document.xml',
      writeDocument('<w:p><w:fldSimple w:instr="DDE cmd"/></w:p>'),
    ),
  ),
]

const embeddedSamples: SampleFile[] = [
  badSample(
    'embedded',
    'ole.docx',
    'an object',
    docxWithPart({ name: 'word/embeddings/oleObject1.bin', data: createNoise(90) }),
  ),
  badSample(
    'embedded',
    'activex.docx',
    'a control',
    docxWithPart({ name: 'word/activeX/activeX1.xml', data: '<ax:ocx/>' }),
  ),
  badSample(
    'embedded',
    'exe.docx',
    'a program',
    docxWithPart({ name: 'word/media/setup.exe', data: programBytes }),
  ),
  badSample(
    'embedded',
    'exe-png.docx',
    'a program by the name of a picture',
    docxWithPart({ name: 'word/media/image1.png', data: programBytes }),
  ),
  badSample(
    'embedded',
    'nested.docx',
    'an archive by the name of a picture',
    docxWithPart({ name: 'word/media/image1.png', data: writeZip([{ name: 'a', data: 'a' }]) }),
  ),
  badSample(
    'embedded',
    'picture-elsewhere.docx',
    'a part of an unknown kind that begins as a picture does',
    docxWithPart({ name: 'word/setup.exe', data: 'BM' }),
  ),
  badSample('embedded', 'chunk.docx', 'a page that is taken into the text', () =>
    createDocx([createLinksPart([{ type: 'aFChunk', target: 'page.xml' }])]),
  ),
  badSample(
    'embedded',
    'svg.docx',
    'a picture that is a script',
    docxWithPart({ name: 'word/media/a.svg', data: '<svg><script>alert(1)</script></svg>' }),
  ),
]

const externalEntity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'

const archiveSamples: SampleFile[] = [
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
    docxWithPart({ name: '../../startup/a.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'root.docx',
    'a name from the root',
    docxWithPart({ name: '/etc/a.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'slash.docx',
    'a name with the slashes of Windows',
    docxWithPart({ name: 'word\\..\\a.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'twice.docx',
    'the same part twice',
    docxWithPart({ name: 'WORD/document.xml', data: writeDocument() }),
  ),
  badSample(
    'password',
    'locked.docx',
    'an encrypted entry',
    docxWithPart({ name: 'word/a.xml', data: '<a/>', flags: 1 }),
  ),
  badSample(
    'damaged',
    'names.docx',
    'another name in an entry than in the directory',
    docxWithPart({ name: 'word/a.xml', headerName: 'word/b.xml', data: '<a/>' }),
  ),
  badSample(
    'damaged',
    'crc.docx',
    'a wrong checksum',
    docxWithPart({ name: 'word/a.xml', data: '<a/>', crc: 5 }),
  ),
  badSample(
    'damaged',
    'method.docx',
    'an unusual way of packing',
    docxWithPart({ name: 'word/a.xml', data: '<a/>', method: 14 }),
  ),
  badSample('kind', 'before.docx', 'a program in front', () =>
    Buffer.concat([programBytes, createDocx()]),
  ),
  badSample(
    'damaged',
    'between.docx',
    'data between its entries',
    docxInArchive({ between: programBytes }),
  ),
  badSample('damaged', 'after.docx', 'data behind it', docxInArchive({ after: programBytes })),
  badSample(
    'damaged',
    'archive-comment.docx',
    'a comment',
    docxInArchive({ comment: 'MZ and more' }),
  ),
  badSample('damaged', 'count.docx', 'a count that is not true', docxInArchive({ entries: 3 })),
  badSample('damaged', 'cut.docx', 'cut off', () => createDocx().subarray(0, 900)),
  badSample('damaged', 'head.docx', 'only its first bytes', () =>
    encodeLatin1('PK\x03\x04 word/document.xml [Content_Types].xml'),
  ),
  badSample(
    'damaged',
    'entity.docx',
    'entities in its types',
    docxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes().replace('<Types', `${externalEntity}<Types`),
    ),
  ),
  badSample(
    'damaged',
    'text-entity.docx',
    'entities in its text',
    docxWithReplacedPart('word/document.xml', `${externalEntity}${writeDocument()}`),
  ),
]

export const badDocxs: SampleFile[] = [
  ...macroSamples,
  ...kindSamples,
  ...externalSamples,
  ...embeddedSamples,
  ...archiveSamples,
]
