import { writeZip, type ZipPart } from './zip-writer'

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relationshipsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

export const mainContentType =
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

/**
 * A relationship between parts of a document. `type` is the last segment of a standard type's URI.
 */
export type DocxRelationship = { type: string; target: string; external?: boolean }

export function writeRelationships(list: readonly DocxRelationship[]): string {
  const relationshipElements = list.map(({ type, target, external }, index) => {
    const targetModeAttribute = external ? ' TargetMode="External"' : ''
    return `<Relationship Id="rId${index + 1}" Type="${relationshipsNamespace}/${type}" Target="${target}"${targetModeAttribute}/>`
  })
  return `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationshipElements.join('')}</Relationships>`
}

/**
 * Returns the XML of the part `[Content_Types].xml`. `extra` contains more `Default` and `Override`
 * elements.
 */
export function writeContentTypes(
  main = mainContentType,
  extra = '',
  part = '/word/document.xml',
): string {
  const defaultTypes =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
  return `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaultTypes}<Override PartName="${part}" ContentType="${main}"/>${extra}</Types>`
}

export const writeDocument = (
  inner = '<w:p><w:r><w:t>I authorize this payment.</w:t></w:r></w:p>',
) => `${xmlDeclaration}<w:document ${wordNamespace}><w:body>${inner}</w:body></w:document>`

/**
 * Returns the parts that every document has, in the order of Word. A part of `moreParts` replaces
 * the part with the same name, or is added.
 */
export function createDocumentParts(moreParts: readonly ZipPart[] = []): ZipPart[] {
  const baseParts: ZipPart[] = [
    { name: '[Content_Types].xml', data: writeContentTypes() },
    {
      name: '_rels/.rels',
      data: writeRelationships([{ type: 'officeDocument', target: 'word/document.xml' }]),
    },
    { name: 'word/document.xml', data: writeDocument() },
    {
      name: 'word/_rels/document.xml.rels',
      data: writeRelationships([{ type: 'styles', target: 'styles.xml' }]),
    },
    { name: 'word/styles.xml', data: `${xmlDeclaration}<w:styles ${wordNamespace}/>` },
  ]
  const names = new Set(baseParts.map(({ name }) => name))
  const partsWithReplacements = baseParts.map(
    (part) => moreParts.find(({ name }) => name === part.name) ?? part,
  )
  return [...partsWithReplacements, ...moreParts.filter(({ name }) => !names.has(name))]
}

/**
 * Returns the part with the relationships of `word/document.xml`: the styles and the given links.
 */
export const createLinksPart = (list: readonly DocxRelationship[]): ZipPart => ({
  name: 'word/_rels/document.xml.rels',
  data: writeRelationships([{ type: 'styles', target: 'styles.xml' }, ...list]),
})

export const createDocx = (moreParts: readonly ZipPart[] = []): Buffer =>
  writeZip(createDocumentParts(moreParts))

/** Returns a document text with one field, whose instruction is split into these pieces. */
export const writeFieldDocument = (...pieces: string[]) => {
  const instructionRuns = pieces
    .map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`)
    .join('')
  return writeDocument(
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${instructionRuns}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
  )
}

export const createDocxWithPart = (part: ZipPart) => () => createDocx([part])
export const createDocxWithReplacedPart = (name: string, data: string) => () =>
  createDocx([{ name, data }])
