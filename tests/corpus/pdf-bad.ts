import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { pdfActionSamples, pdfScriptSamples } from './pdf-active'
import { annotatedPage, createPdf, onePageObjects } from './pdf-pages'
import { writePdfWithObjectStream, writePdfWithXrefStream } from './pdf-shapes'
import { writePdf } from './pdf-writer'
import { createBadSample, encodeLatin1, type SampleFile, windowsProgramBytes } from './sample'
import { writeZip } from './zip-writer'

const lockedAndEmbeddedSamples: SampleFile[] = [
  createBadSample('password', 'locked.pdf', 'a password', () =>
    writePdf(
      { ...onePageObjects, 6: '<< /Filter /Standard /V 2 /R 3 >>' },
      { trailer: '/Root 1 0 R /Encrypt 6 0 R' },
    ),
  ),
  createBadSample('password', 'locked-stream.pdf', 'a password, with a table in a stream', () =>
    writePdfWithXrefStream(onePageObjects, '/Encrypt << /Filter /Standard >>'),
  ),
  createBadSample(
    'password',
    'locked-escaped.pdf',
    'a password, with the name of its lock written with escapes',
    () =>
      writePdf(
        { ...onePageObjects, 6: '<< /Filter /Standard /V 2 /R 3 >>' },
        { trailer: '/Root 1 0 R /#45ncrypt 6 0 R' },
      ),
  ),
  createBadSample(
    'password',
    'locked-twice.pdf',
    'locked against changes, with an object twice',
    () => createPdfWithRepeatedObject('qpdf-owner-aes128.pdf'),
  ),
  createBadSample('attachment', 'attached.pdf', 'an attached program', () =>
    createPdf({
      6: '<< /Type /Filespec /F (a.exe) /EF << /F 7 0 R >> >>',
      7: { dict: '/Type /EmbeddedFile', bytes: windowsProgramBytes },
    }),
  ),
  createBadSample('attachment', 'attached-bare.pdf', 'an attached file without its types', () =>
    createPdf({
      6: '<< /UF (a.exe) /EF << /F 7 0 R >> >>',
      7: { dict: '', bytes: windowsProgramBytes },
    }),
  ),
  createBadSample('media', 'film.pdf', 'a film', () =>
    createPdf({ 3: annotatedPage, 6: '<< /Type /Annot /Subtype /RichMedia >>' }),
  ),
  createBadSample('media', 'scene.pdf', 'a scene in 3D', () =>
    createPdf({ 3: annotatedPage, 6: '<< /Type /Annot /Subtype /3D >>' }),
  ),
]

/**
 * Returns a PDF of the folder `made`, which another program wrote. Its first object is repeated
 * before the end of the file.
 */
function createPdfWithRepeatedObject(name: string): Buffer {
  const samplePdfBytes = readFileSync(new URL(`made/${name}`, import.meta.url))
  const objectStart = samplePdfBytes.indexOf('1 0 obj')
  const objectBytes = samplePdfBytes.subarray(
    objectStart,
    samplePdfBytes.indexOf('endobj', objectStart) + 7,
  )
  const trailerOffset = samplePdfBytes.lastIndexOf('startxref')
  return Buffer.concat([
    samplePdfBytes.subarray(0, trailerOffset),
    objectBytes,
    samplePdfBytes.subarray(trailerOffset),
  ])
}

const malformedSamples: SampleFile[] = [
  createBadSample('damaged', 'begins.pdf', 'text that only begins as a PDF does', () =>
    encodeLatin1('%PDF-1.7\nhello'),
  ),
  createBadSample(
    'damaged',
    'spaces.pdf',
    'spaces that begin as a PDF does, to the end of one',
    () => encodeLatin1(`%PDF-1.7\n${' '.repeat(900)}startxref\n0\n%%EOF\n`),
  ),
  createBadSample('damaged', 'cut.pdf', 'cut off', () => createPdf().subarray(0, 500)),
  createBadSample('tail', 'exe.pdf', 'a program behind it', () =>
    Buffer.concat([createPdf(), windowsProgramBytes]),
  ),
  createBadSample('tail', 'page.pdf', 'a page behind it', () =>
    Buffer.concat([createPdf(), encodeLatin1('<script>alert(1)</script>')]),
  ),
  createBadSample('polyglot', 'zip.pdf', 'an archive behind it', () =>
    Buffer.concat([createPdf(), writeZip([{ name: 'a.class', data: 'a' }])]),
  ),
  createBadSample(
    'polyglot',
    'inner-zip.pdf',
    'an archive inside, whose comment reaches to the end',
    () => createPdfWithArchive(),
  ),
  createBadSample('kind', 'html.pdf', 'a page by the name of a PDF', () =>
    encodeLatin1('<!doctype html><svg onload=alert(1)>'),
  ),
  createBadSample(
    'kind',
    'program.pdf',
    'a program by the name of a PDF',
    () => windowsProgramBytes,
  ),
  createBadSample('kind', 'eicar.pdf', 'the test virus by the name of a PDF', () =>
    encodeLatin1(
      ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS', '-TEST-FILE!$H+H*'].join(''),
    ),
  ),
  createBadSample('kind', 'front.pdf', 'a page in front', () =>
    Buffer.concat([encodeLatin1('<html>'), createPdf()]),
  ),
  createBadSample('damaged', 'damaged-stream.pdf', 'a packed stream that is damaged', () =>
    writePdfWithObjectStream(onePageObjects, { data: encodeLatin1('x\x9cnot deflate at all') }),
  ),
  createBadSample('damaged', 'twice.pdf', 'a packed stream packed twice', () =>
    writePdfWithObjectStream(onePageObjects, { filter: '[/FlateDecode /FlateDecode]' }),
  ),
  createBadSample('damaged', 'letters.pdf', 'a packed stream in a code of letters', () =>
    writePdfWithObjectStream(onePageObjects, { filter: '/ASCIIHexDecode' }),
  ),
  createBadSample('damaged', 'bomb.pdf', 'a packed stream that is a bomb', () =>
    writePdfWithObjectStream(onePageObjects, { data: deflateSync(Buffer.alloc(90_000_000, ' ')) }),
  ),
  createBadSample('damaged', 'deep.pdf', 'objects in one another without end', () =>
    createPdf({ 6: '['.repeat(100_000) }),
  ),
  createBadSample('damaged', 'tangled.pdf', 'texts that never end, thousands of them', () =>
    createPdf({ 6: Array.from({ length: 20_000 }, (_, at) => `${at} 0 obj (`).join('\n') }),
  ),
]

/**
 * Returns a PDF that is also a zip archive. The archive starts inside the PDF, and the PDF's last
 * lines are the archive's comment.
 */
function createPdfWithArchive(): Buffer {
  const pdfBytes = createPdf({ 6: { dict: '', bytes: Buffer.alloc(0) } })
  const tailLength = pdfBytes.length - pdfBytes.lastIndexOf('endstream')
  const archive = writeZip([{ name: 'a.class', data: 'a' }], { comment: ' '.repeat(tailLength) })
  return Buffer.concat([
    pdfBytes.subarray(0, -tailLength),
    archive.subarray(0, -tailLength),
    pdfBytes.subarray(-tailLength),
  ])
}

export const badPdfs: SampleFile[] = [
  ...pdfScriptSamples,
  ...pdfActionSamples,
  ...lockedAndEmbeddedSamples,
  ...malformedSamples,
]
