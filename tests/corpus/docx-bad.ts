import { body, documentLinks, documentParts, docx, field, links, mainType, types } from './docx-writer'
import { bad, latin, noise, program, type Sample } from './sample'
import { writeZip, type ZipPart } from './zip-writer'

const withLink = (type: string, target: string) => () => docx([documentLinks([{ type, target, external: true }])])
const macroType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
const bomb = () => Buffer.alloc(200_000_000)
const swap = (name: string, data: string) => () => docx([{ name, data }])
const add = (part: ZipPart) => () => docx([part])
const around = (archive: Parameters<typeof writeZip>[1]) => () => writeZip(documentParts(), archive)
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const macros: Sample[] = [
  bad('macros', 'macro.docx', 'macros in their usual place', add({ name: 'word/vbaProject.bin', data: noise(500) })),
  bad('macros', 'docm.docx', 'the type of a document with macros', swap('[Content_Types].xml', types(macroType))),
  bad(
    'macros',
    'refs.docx',
    'that type, written with character references',
    swap('[Content_Types].xml', types(macroType.replace('macro', '&#x6d;acro'))),
  ),
  bad('macros', 'renamed.docx', 'macros under the name of a picture', () =>
    docx([documentLinks([{ type: 'vbaProject', target: 'media/image1.png' }])]),
  ),
  bad(
    'macros',
    'types.docx',
    'macros told of only in the types',
    swap('[Content_Types].xml', types(mainType, '<Override PartName="/word/a.xml" ContentType="application/vnd.ms-office.vbaProject"/>')),
  ),
  bad('macros', 'wide.docx', 'macros told of in UTF-16', () =>
    docx([{ name: '[Content_Types].xml', data: utf16(types(macroType).replace('UTF-8', 'UTF-16')) }]),
  ),
]

const other: Sample[] = [
  bad(
    'kind',
    'sheet.docx',
    'a spreadsheet',
    swap('[Content_Types].xml', types('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml')),
  ),
  bad(
    'kind',
    'dotx.docx',
    'a template',
    swap('[Content_Types].xml', types('application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml')),
  ),
  bad('kind', 'jar.docx', 'a Java archive', () =>
    writeZip([
      { name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0' },
      { name: 'Main.class', data: Buffer.from('cafebabe00', 'hex') },
    ]),
  ),
  bad('kind', 'word-jar.docx', 'a Java archive in a Word document', add({ name: 'META-INF/MANIFEST.MF', data: 'Main-Class: Main' })),
  bad('kind', 'zip.docx', 'any archive with a folder word/', () => writeZip([{ name: 'word/document.xml', data: body() }])),
  bad('kind', 'comment.docx', 'its types in a comment', swap('[Content_Types].xml', `<!-- ${types().replace(/<\?.*\?>/, '')} --><Types/>`)),
  bad('damaged', 'hollow.docx', 'without the part that is its main one', () =>
    writeZip(documentParts().filter(({ name }) => name !== 'word/document.xml')),
  ),
  bad('damaged', 'two.docx', 'two main parts', () =>
    docx([
      {
        name: '_rels/.rels',
        data: links([
          { type: 'officeDocument', target: 'word/document.xml' },
          { type: 'officeDocument', target: 'word/b.xml' },
        ]),
      },
    ]),
  ),
]

const loads: Sample[] = [
  bad(
    'external',
    'template.docx',
    'a template from the web',
    add({
      name: 'word/_rels/settings.xml.rels',
      data: links([{ type: 'attachedTemplate', target: 'https://example.com/a.dotm', external: true }]),
    }),
  ),
  bad('external', 'share.docx', 'a template from a share', withLink('attachedTemplate', 'file:///\\\\192.0.2.1\\share\\a.dotm')),
  bad('external', 'beacon.docx', 'a picture from the web', withLink('image', 'http://192.0.2.1/a.png')),
  bad(
    'embedded',
    'object.docx',
    'an object from the web',
    withLink('oleObject', 'mhtml:https://example.com/a.html!x-usc:https://example.com/a.html'),
  ),
  bad('external', 'link.docx', 'a link that is a script', withLink('hyperlink', 'javascript:alert(1)')),
  bad('external', 'dde.docx', 'a field that starts a program', swap('word/document.xml', field(' DDEAUTO c:\\windows\\system32\\cmd.exe'))),
  bad('external', 'dde-pieces.docx', 'such a field in pieces', swap('word/document.xml', field(' D', 'DE', 'AU', 'TO "c:\\cmd"'))),
  bad(
    'external',
    'dde-simple.docx',
    'such a field in short',
    swap('word/document.xml', body('<w:p><w:fldSimple w:instr="DDE cmd"/></w:p>')),
  ),
]

const holds: Sample[] = [
  bad('embedded', 'ole.docx', 'an object', add({ name: 'word/embeddings/oleObject1.bin', data: noise(90) })),
  bad('embedded', 'activex.docx', 'a control', add({ name: 'word/activeX/activeX1.xml', data: '<ax:ocx/>' })),
  bad('embedded', 'exe.docx', 'a program', add({ name: 'word/media/setup.exe', data: program })),
  bad('embedded', 'exe-png.docx', 'a program by the name of a picture', add({ name: 'word/media/image1.png', data: program })),
  bad(
    'embedded',
    'nested.docx',
    'an archive by the name of a picture',
    add({ name: 'word/media/image1.png', data: writeZip([{ name: 'a', data: 'a' }]) }),
  ),
  bad(
    'embedded',
    'picture-elsewhere.docx',
    'a part of an unknown kind that begins as a picture does',
    add({ name: 'word/setup.exe', data: 'BM' }),
  ),
  bad('embedded', 'chunk.docx', 'a page that is taken into the text', () =>
    docx([documentLinks([{ type: 'aFChunk', target: 'page.xml' }])]),
  ),
  bad(
    'embedded',
    'svg.docx',
    'a picture that is a script',
    add({ name: 'word/media/a.svg', data: '<svg><script>alert(1)</script></svg>' }),
  ),
]

const entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'

const archives: Sample[] = [
  bad('unpacked', 'bomb.docx', 'a bomb: 200 MB of zeros', () => docx([{ name: 'word/media/image1.bmp', data: bomb() }])),
  bad('unpacked', 'lying-bomb.docx', 'a bomb that tells a small size', () =>
    docx([{ name: 'word/media/image1.bmp', data: bomb(), size: 1000 }]),
  ),
  bad('unpacked', 'ratio.docx', 'a small one that unpacks to two hundred times its size', () =>
    docx([{ name: 'word/media/image1.bmp', data: Buffer.alloc(3_000_000) }]),
  ),
  bad('damaged', 'overlap.docx', 'entries that share their data', () =>
    docx(Array.from({ length: 50 }, (_, at) => ({ name: `word/a${at}.xml`, data: '<a/>', headerName: 'word/a0.xml', shared: at > 0 }))),
  ),
  bad('entries', 'many.docx', '1,001 entries', () =>
    docx(Array.from({ length: 1001 }, (_, at) => ({ name: `word/a${at}.xml`, data: '<a/>' }))),
  ),
  bad('damaged', 'climb.docx', 'a name that climbs', add({ name: '../../startup/a.xml', data: '<a/>' })),
  bad('damaged', 'root.docx', 'a name from the root', add({ name: '/etc/a.xml', data: '<a/>' })),
  bad('damaged', 'slash.docx', 'a name with the slashes of Windows', add({ name: 'word\\..\\a.xml', data: '<a/>' })),
  bad('damaged', 'twice.docx', 'the same part twice', add({ name: 'WORD/document.xml', data: body() })),
  bad('password', 'locked.docx', 'an encrypted entry', add({ name: 'word/a.xml', data: '<a/>', flags: 1 })),
  bad(
    'damaged',
    'names.docx',
    'another name in an entry than in the directory',
    add({ name: 'word/a.xml', headerName: 'word/b.xml', data: '<a/>' }),
  ),
  bad('damaged', 'crc.docx', 'a wrong checksum', add({ name: 'word/a.xml', data: '<a/>', crc: 5 })),
  bad('damaged', 'method.docx', 'an unusual way of packing', add({ name: 'word/a.xml', data: '<a/>', method: 14 })),
  bad('kind', 'before.docx', 'a program in front', () => Buffer.concat([program, docx()])),
  bad('damaged', 'between.docx', 'data between its entries', around({ between: program })),
  bad('damaged', 'after.docx', 'data behind it', around({ after: program })),
  bad('damaged', 'archive-comment.docx', 'a comment', around({ comment: 'MZ and more' })),
  bad('damaged', 'count.docx', 'a count that is not true', around({ entries: 3 })),
  bad('damaged', 'cut.docx', 'cut off', () => docx().subarray(0, 900)),
  bad('damaged', 'head.docx', 'only its first bytes', () => latin('PK\x03\x04 word/document.xml [Content_Types].xml')),
  bad('damaged', 'entity.docx', 'entities in its types', swap('[Content_Types].xml', types().replace('<Types', `${entity}<Types`))),
  bad('damaged', 'text-entity.docx', 'entities in its text', swap('word/document.xml', `${entity}${body()}`)),
]

export const badDocxs: Sample[] = [...macros, ...other, ...loads, ...holds, ...archives]
