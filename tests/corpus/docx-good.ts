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
import { goodPngs } from './png'
import { createGoodSample, createNoise, encodeLatin1, type SampleFile } from './sample'
import { writeZip } from './zip-writer'

const createPicture = () => goodPngs[0]?.make() ?? new Uint8Array()
const longParagraph =
  '<w:p><w:r><w:t>Each party keeps a copy of this agreement; it holds until it is withdrawn in writing.</w:t></w:r></w:p>'

/**
 * Returns a document as LibreOffice writes it: the sizes of each entry come after its data, and the
 * content types are the last entry.
 */
function createLibreOfficeDocx(): Buffer {
  const [contentTypes, ...parts] = createDocumentParts([
    { name: 'docProps/app.xml', data: '<Properties/>' },
  ]).map((part) => ({
    ...part,
    descriptor: true,
  }))
  return writeZip([...parts, ...(contentTypes ? [contentTypes] : [])])
}

/**
 * Returns a document as Google Docs writes it: data descriptors without signatures, and embedded
 * fonts.
 */
const createGoogleDocx = () =>
  writeZip(
    createDocumentParts([{ name: 'word/fonts/Roboto-regular.ttf', data: createNoise(5000) }]).map(
      (part) => ({
        ...part,
        descriptor: 'unsigned' as const,
      }),
    ),
  )

/** Returns a document as Word writes it, with padding in the header of the first entry. */
const createWordDocx = () =>
  writeZip(
    createDocumentParts([
      {
        name: '[Content_Types].xml',
        data: writeContentTypes(),
        extra: Buffer.concat([Buffer.from([0x20, 0xa2, 4, 1, 0, 0]), Buffer.alloc(258)]),
      },
      { name: 'word/theme/theme1.xml', data: '<a:theme xmlns:a="a"/>' },
      { name: 'word/media/image1.png', data: createPicture(), stored: true },
      {
        name: 'word/media/image2.svg',
        data: '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg xmlns="http://www.w3.org/2000/svg"/>',
      },
      { name: 'word/fontTable.xml', data: '<w:fonts xmlns:w="w"/>' },
      { name: 'word/fonts/font1.odttf', data: createNoise(9000, 9) },
      {
        name: 'customXml/item1.xml',
        data: Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><b/>', 'utf16le'),
      },
      { name: 'docProps/core.xml', data: '<cp:coreProperties xmlns:cp="c"/>' },
      { name: 'docProps/thumbnail.jpeg', data: createNoise(2000, 4) },
    ]),
  )

export const goodDocxs: SampleFile[] = [
  createGoodSample('letter.docx', 'the least there is', () => createDocx()),
  createGoodSample('Word letter.docx', 'as Word writes it', createWordDocx),
  createGoodSample('libre.docx', 'as LibreOffice writes it', createLibreOfficeDocx),
  createGoodSample('google.docx', 'as Google writes it', createGoogleDocx),
  createGoodSample('links.docx', 'with links to pages, mail and a place in itself', () =>
    createDocx([
      createLinksPart([
        { type: 'hyperlink', target: 'https://example.com/a?b=1&amp;c=2', external: true },
        { type: 'hyperlink', target: 'mailto:someone@example.com', external: true },
        { type: 'image', target: 'media/image1.png' },
      ]),
    ]),
  ),
  createGoodSample('template.docx', 'with a template of its own computer', () =>
    createDocx([
      {
        name: 'word/_rels/settings.xml.rels',
        data: writeRelationships([
          {
            type: 'attachedTemplate',
            target: 'file:///C:\\Users\\dana\\Templates\\Letter.dotx',
            external: true,
          },
        ]),
      },
    ]),
  ),
  createGoodSample('fields.docx', 'with fields: page numbers and a link about DDE', () =>
    createDocx([
      {
        name: 'word/document.xml',
        data: writeFieldDocument(' HYPERLINK "https://example.com/dde" '),
      },
    ]),
  ),
  createGoodSample('long.docx', 'long, and packed well', () =>
    createDocx([
      {
        name: 'word/document.xml',
        data: writeDocument(longParagraph.repeat(2000) + createNoise(90_000).toString('hex')),
      },
    ]),
  ),
  createGoodSample('strict.docx', 'in the strict form', () =>
    createDocx([
      {
        name: '_rels/.rels',
        data: writeRelationships([
          { type: 'officeDocument', target: '/word/document.xml' },
        ]).replaceAll(
          'schemas.openxmlformats.org/officeDocument/2006',
          'purl.oclc.org/ooxml/officeDocument',
        ),
      },
    ]),
  ),
  createGoodSample('other-main.docx', 'its main part under another name', () =>
    createDocx([
      {
        name: '[Content_Types].xml',
        data: writeContentTypes(mainContentType, '', '/word/document2.xml'),
      },
      {
        name: '_rels/.rels',
        data: writeRelationships([{ type: 'officeDocument', target: 'word/document2.xml' }]),
      },
      { name: 'word/document2.xml', data: writeDocument() },
    ]),
  ),
  createGoodSample('default-type.docx', 'its main type by the ending of the name', () =>
    createDocx([
      {
        name: '[Content_Types].xml',
        data: writeContentTypes()
          .replace('application/xml', mainContentType)
          .replace(/<Override[^>]*>/, ''),
      },
    ]),
  ),
  createGoodSample('picture.docx', 'with a picture named .bin', () =>
    createDocx([{ name: 'word/media/image1.bin', data: createPicture() }]),
  ),
  createGoodSample('white.docx', 'with an even picture, a hundredth of its size when packed', () =>
    createDocx([
      {
        name: 'word/media/image1.bmp',
        data: Buffer.concat([encodeLatin1('BM'), Buffer.alloc(350_000)]),
      },
    ]),
  ),
]
