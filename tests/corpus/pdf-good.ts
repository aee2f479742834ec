import {
  createPdf,
  createPdfWithLink,
  deflateStream,
  formObjects,
  onePageObjects,
} from './pdf-pages'
import {
  appendPdfUpdate,
  rewriteXref,
  writePdfWithObjectStream,
  writePdfWithXrefStream,
} from './pdf-shapes'
import { createPdfOfSize, writePdf } from './pdf-writer'
import { createGoodSample, createNoise, encodeLatin1, type SampleFile } from './sample'

export const goodPdfs: SampleFile[] = [
  createGoodSample('letter.pdf', 'one page', () => createPdf()),
  createGoodSample('old.pdf', 'version 1.4', () => writePdf(onePageObjects, { version: '1.4' })),
  createGoodSample('new.PDF', 'version 2.0', () => writePdf(onePageObjects, { version: '2.0' })),
  createGoodSample('scan.pdf', 'two megabytes of picture', () => createPdfOfSize(2_000_000)),
  createGoodSample('photo.pdf', 'a packed picture of random bytes', () =>
    createPdf({
      6: {
        dict: '/Type /XObject /Subtype /Image /Filter /DCTDecode',
        bytes: createNoise(3_000_000, 11),
      },
    }),
  ),
  createGoodSample('packed.pdf', 'packed pages', () =>
    createPdf({ 4: deflateStream(encodeLatin1('BT /F1 18 Tf 72 720 Td (Hello) Tj ET')) }),
  ),
  createGoodSample('updated.pdf', 'changed after it was written', () =>
    appendPdfUpdate(createPdf(), { 4: { dict: '', bytes: encodeLatin1('BT ET') } }),
  ),
  createGoodSample('compressed.pdf', 'with objects in a packed stream', () =>
    writePdfWithObjectStream(onePageObjects),
  ),
  createGoodSample('plain-stream.pdf', 'with objects in a stream as it is', () =>
    writePdfWithObjectStream(onePageObjects, { filter: 'none' }),
  ),
  createGoodSample('hybrid.pdf', 'a table for old readers and a stream for new ones', () =>
    writePdfWithXrefStream(onePageObjects),
  ),
  createGoodSample('opens.pdf', 'opening at its first page', () =>
    createPdf({}, '/OpenAction [3 0 R /Fit]'),
  ),
  createGoodSample('opens-there.pdf', 'opening at a place of its own', () =>
    createPdf(
      { 6: '<< /Type /Action /S /GoTo /D [3 0 R /XYZ null null 0] >>' },
      '/OpenAction 6 0 R',
    ),
  ),
  createGoodSample(
    'links.pdf',
    'with links to pages and mail',
    createPdfWithLink('<< /S /URI /URI (https://example.com/JS/Launch?a=/JavaScript) >>'),
  ),
  createGoodSample('form.pdf', 'with a form without scripts', () => createPdf(formObjects)),
  createGoodSample('about.pdf', 'that speaks of scripts in its title and its text', () =>
    writePdf(
      {
        ...onePageObjects,
        4: { dict: '', bytes: encodeLatin1('BT (/JavaScript /Launch /Encrypt) Tj ET') },
        6: '<< /Title (All of /JavaScript and /Launch) /Author <FEFF004A> >>',
      },
      { trailer: '/Root 1 0 R /Info 6 0 R /ID [<00> <00>]' },
    ),
  ),
  createGoodSample('tagged.pdf', 'tagged, with metadata', () =>
    createPdf(
      {
        6: '<< /Type /StructTreeRoot /K [<< /Type /StructElem /S /P /P 6 0 R >>] >>',
        7: {
          dict: '/Type /Metadata /Subtype /XML',
          bytes: encodeLatin1('<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"/>'),
        },
      },
      '/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R /Metadata 7 0 R /Lang (en-US)',
    ),
  ),
  createGoodSample('book.pdf', 'with bookmarks, names of places and layers', () =>
    createPdf(
      {
        6: '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
        7: '<< /Title (One \\(of two\\)) /Parent 6 0 R /Dest /one >>',
      },
      '/Outlines 6 0 R /Names << /Dests << /Names [(one) [3 0 R /Fit]] >> >> /OCProperties << /OCGs [] /D << >> >>',
    ),
  ),
  createGoodSample('signed.pdf', 'signed', () =>
    appendPdfUpdate(createPdf(), {
      6: `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 30] /Contents <${'00'.repeat(3000)}> >>`,
    }),
  ),
  createGoodSample('length.pdf', 'with a length that stands in an object of its own', () =>
    writePdf({ ...onePageObjects, 4: '<< /Length 6 0 R >>\nstream\nBT ET\nendstream', 6: '5' }),
  ),
  createGoodSample('padded.pdf', 'filled up with zeros', () =>
    Buffer.concat([createPdf(), Buffer.alloc(2000)]),
  ),
  createGoodSample('windows.pdf', 'with lines of Windows', () =>
    rewriteXref(encodeLatin1(createPdf().toString('latin1').replaceAll('\n', '\r\n'))),
  ),
  createGoodSample(
    'other-file.pdf',
    'naming another file',
    createPdfWithLink('<< /S /GoToR /F (annex.pdf) /D [0 /Fit] >>'),
  ),
]
