import { deflateSync } from 'node:zlib'
import { createOnePage, type PdfObject, writePdf } from './pdf-writer'

export const onePageObjects = createOnePage()
export const createCatalog = (moreEntries: string) =>
  `<< /Type /Catalog /Pages 2 0 R ${moreEntries} >>`
/**
 * Returns a PDF of one page. `objects` are added or replace objects of the page. `catalogEntries`
 * contains more entries of the catalog.
 */
export const createPdf = (objects: Record<number, PdfObject> = {}, catalogEntries = '') =>
  writePdf({ ...onePageObjects, 1: createCatalog(catalogEntries), ...objects })
export const deflateStream = (bytes: Uint8Array, dict = ''): PdfObject => ({
  dict: `${dict} /Filter /FlateDecode`,
  bytes: deflateSync(bytes),
})
const createLinkAnnotation = (action: string): PdfObject =>
  `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${action} >>`
export const annotatedPage: PdfObject =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R] >>'
export const createPdfWithLink = (action: string) => () =>
  createPdf({ 3: annotatedPage, 6: createLinkAnnotation(action) })

export const formObjects: Record<number, PdfObject> = {
  1: createCatalog('/AcroForm << /Fields [6 0 R] /DA (/Helv 0 Tf 0 g) >>'),
  3: annotatedPage,
  6: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (120.00) /Rect [0 0 90 20] /MK << >> /AA << >> >>',
}
