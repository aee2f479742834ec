import { badDocxArchives } from './docx-bad-archives'
import {
  createDocumentParts,
  createDocx,
  createDocxWithPart,
  createDocxWithReplacedPart,
  createLinksPart,
  mainContentType,
  writeContentTypes,
  writeDocument,
  writeFieldDocument,
  writeRelationships,
} from './docx-writer'
import { createBadSample, createNoise, type SampleFile, windowsProgramBytes } from './sample'
import { writeZip } from './zip-writer'

const createDocxWithLink = (type: string, target: string) => () =>
  createDocx([createLinksPart([{ type, target, external: true }])])
const macroType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
const encodeUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const macroSamples: SampleFile[] = [
  createBadSample(
    'macros',
    'macro.docx',
    'macros in their usual place',
    createDocxWithPart({ name: 'word/vbaProject.bin', data: createNoise(500) }),
  ),
  createBadSample(
    'macros',
    'docm.docx',
    'the type of a document with macros',
    createDocxWithReplacedPart('[Content_Types].xml', writeContentTypes(macroType)),
  ),
  createBadSample(
    'macros',
    'refs.docx',
    'that type, written with character references',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(macroType.replace('macro', '&#x6d;acro')),
    ),
  ),
  createBadSample('macros', 'renamed.docx', 'macros under the name of a picture', () =>
    createDocx([createLinksPart([{ type: 'vbaProject', target: 'media/image1.png' }])]),
  ),
  createBadSample(
    'macros',
    'types.docx',
    'macros told of only in the types',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(
        mainContentType,
        '<Override PartName="/word/a.xml" ContentType="application/vnd.ms-office.vbaProject"/>',
      ),
    ),
  ),
  createBadSample('macros', 'wide.docx', 'macros told of in UTF-16', () =>
    createDocx([
      {
        name: '[Content_Types].xml',
        data: encodeUtf16(writeContentTypes(macroType).replace('UTF-8', 'UTF-16')),
      },
    ]),
  ),
]

const wrongTypeSamples: SampleFile[] = [
  createBadSample(
    'kind',
    'sheet.docx',
    'a spreadsheet',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
      ),
    ),
  ),
  createBadSample(
    'kind',
    'dotx.docx',
    'a template',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      writeContentTypes(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml',
      ),
    ),
  ),
  createBadSample('kind', 'jar.docx', 'a Java archive', () =>
    writeZip([
      { name: 'META-INF/MANIFEST.MF', data: 'Manifest-Version: 1.0' },
      { name: 'Main.class', data: Buffer.from('cafebabe00', 'hex') },
    ]),
  ),
  createBadSample(
    'kind',
    'word-jar.docx',
    'a Java archive in a Word document',
    createDocxWithPart({ name: 'META-INF/MANIFEST.MF', data: 'Main-Class: Main' }),
  ),
  createBadSample('kind', 'zip.docx', 'any archive with a folder word/', () =>
    writeZip([{ name: 'word/document.xml', data: writeDocument() }]),
  ),
  createBadSample(
    'kind',
    'comment.docx',
    'its types in a comment',
    createDocxWithReplacedPart(
      '[Content_Types].xml',
      `<!-- ${writeContentTypes().replace(/<\?.*\?>/, '')} --><Types/>`,
    ),
  ),
  createBadSample('damaged', 'hollow.docx', 'without the part that is its main one', () =>
    writeZip(createDocumentParts().filter(({ name }) => name !== 'word/document.xml')),
  ),
  createBadSample('damaged', 'two.docx', 'two main parts', () =>
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

/** Fields that start a program, written so that a search for "DDE" in the file finds nothing. */
const hiddenProgramFieldSamples: SampleFile[] = [
  ['reference', writeFieldDocument('&#68;&#x44;EAUTO "c:\\cmd"')],
  ['cdata', writeFieldDocument('D<![CDATA[D]]>EAUTO "c:\\cmd"')],
  ['comment', writeFieldDocument('DD<!-- < > -->EAUTO "c:\\cmd"')],
  ['spaces', writeFieldDocument(`${' '.repeat(300)}DDEAUTO "c:\\cmd"`)],
  ['long', writeFieldDocument(`${' '.repeat(70_000)}DDEAUTO "c:\\cmd"`)],
  ['attribute', writeDocument('<w:p><w:fldSimple w:dirty=">" w:instr="&#68;DE cmd"/></w:p>')],
].map(([kind = '', text = '']) =>
  createBadSample(
    'external',
    `dde-${kind}.docx`,
    `a field that starts a program, hidden by its ${kind}`,
    createDocxWithReplacedPart('word/document.xml', text),
  ),
)

const externalLinkSamples: SampleFile[] = [
  createBadSample(
    'external',
    'template.docx',
    'a template from the web',
    createDocxWithPart({
      name: 'word/_rels/settings.xml.rels',
      data: writeRelationships([
        { type: 'attachedTemplate', target: 'https://example.com/a.dotm', external: true },
      ]),
    }),
  ),
  createBadSample(
    'external',
    'share.docx',
    'a template from a share',
    createDocxWithLink('attachedTemplate', 'file:///\\\\192.0.2.1\\share\\a.dotm'),
  ),
  createBadSample(
    'external',
    'beacon.docx',
    'a picture from the web',
    createDocxWithLink('image', 'http://192.0.2.1/a.png'),
  ),
  createBadSample(
    'embedded',
    'object.docx',
    'an object from the web',
    createDocxWithLink(
      'oleObject',
      'mhtml:https://example.com/a.html!x-usc:https://example.com/a.html',
    ),
  ),
  createBadSample(
    'external',
    'link.docx',
    'a link that is a script',
    createDocxWithLink('hyperlink', 'javascript:alert(1)'),
  ),
  createBadSample(
    'external',
    'dde.docx',
    'a field that starts a program',
    createDocxWithReplacedPart(
      'word/document.xml',
      writeFieldDocument(' DDEAUTO c:\\windows\\system32\\cmd.exe'),
    ),
  ),
  createBadSample(
    'external',
    'dde-pieces.docx',
    'such a field in pieces',
    createDocxWithReplacedPart(
      'word/document.xml',
      writeFieldDocument(' D', 'DE', 'AU', 'TO "c:\\cmd"'),
    ),
  ),
  createBadSample(
    'external',
    'dde-simple.docx',
    'such a field in short',
    createDocxWithReplacedPart(
      'word/document.xml',
      writeDocument('<w:p><w:fldSimple w:instr="DDE cmd"/></w:p>'),
    ),
  ),
  ...hiddenProgramFieldSamples,
]

const embeddedObjectSamples: SampleFile[] = [
  createBadSample(
    'embedded',
    'ole.docx',
    'an object',
    createDocxWithPart({ name: 'word/embeddings/oleObject1.bin', data: createNoise(90) }),
  ),
  createBadSample(
    'embedded',
    'activex.docx',
    'a control',
    createDocxWithPart({ name: 'word/activeX/activeX1.xml', data: '<ax:ocx/>' }),
  ),
  createBadSample(
    'embedded',
    'exe.docx',
    'a program',
    createDocxWithPart({ name: 'word/media/setup.exe', data: windowsProgramBytes }),
  ),
  createBadSample(
    'embedded',
    'exe-png.docx',
    'a program by the name of a picture',
    createDocxWithPart({ name: 'word/media/image1.png', data: windowsProgramBytes }),
  ),
  createBadSample(
    'embedded',
    'nested.docx',
    'an archive by the name of a picture',
    createDocxWithPart({
      name: 'word/media/image1.png',
      data: writeZip([{ name: 'a', data: 'a' }]),
    }),
  ),
  createBadSample(
    'embedded',
    'picture-elsewhere.docx',
    'a part of an unknown kind that begins as a picture does',
    createDocxWithPart({ name: 'word/setup.exe', data: 'BM' }),
  ),
  createBadSample('embedded', 'chunk.docx', 'a page that is taken into the text', () =>
    createDocx([createLinksPart([{ type: 'aFChunk', target: 'page.xml' }])]),
  ),
  createBadSample(
    'embedded',
    'svg.docx',
    'a picture that is a script',
    createDocxWithPart({ name: 'word/media/a.svg', data: '<svg><script>alert(1)</script></svg>' }),
  ),
]

export const badDocxs: SampleFile[] = [
  ...macroSamples,
  ...wrongTypeSamples,
  ...externalLinkSamples,
  ...embeddedObjectSamples,
  ...badDocxArchives,
]
