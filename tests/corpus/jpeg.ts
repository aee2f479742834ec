import { endMarker, segment, startMarker, writeJpeg } from './jpeg-writer'
import { onePage, writePdf } from './pdf-writer'
import { badSample, goodSample, latin, noise, program, type Sample, toBytes, u16, u32 } from './sample'
import { writeZip } from './zip-writer'

const exif = segment(0xe1, Buffer.concat([latin('Exif\0\0MM\0*\0\0\0\x08\0\0'), noise(4000, 7)]))
const thumbnail = segment(0xe1, Buffer.concat([latin('Exif\0\0II*\0\x08\0\0\0\0\0'), writeJpeg({ width: 16, height: 16 })]))
const xmp = segment(0xe1, latin('http://ns.adobe.com/xap/1.0/\0<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"/>'))
const profile = segment(0xe2, Buffer.concat([latin('ICC_PROFILE\0\x01\x01'), noise(3000, 3)]))
const adobe = segment(0xee, latin('Adobe\0\x64\0\0\0\0\x02'))
const comment = (text: string) => segment(0xfe, latin(text))

/** Returns the data that Samsung phones append to a picture: a record, and a directory that readers find from the end of the file. */
function phoneRecords(length = 24): Buffer {
  const record = Buffer.concat([toBytes(0, 0, 1, 10), u32(14), latin('Image_UTC_Data'), noise(length, 5)])
  const entry = Buffer.concat([toBytes(0, 0, 1, 10), u32(record.length), u32(record.length)])
  const head = Buffer.concat([latin('SEFH'), u32(107), u32(1), entry])
  return Buffer.concat([record, head, u32(head.length), latin('SEFT')])
}

export const goodJpegs: Sample[] = [
  goodSample('scan.jpg', 'baseline', () => writeJpeg()),
  goodSample('progressive.jpeg', 'progressive', () => writeJpeg({ frame: 0xc2 })),
  goodSample('gray.JPG', 'gray, from a scanner', () => writeJpeg({ components: 1 })),
  goodSample('print.jpg', 'CMYK with the mark of Adobe', () => writeJpeg({ components: 4 }, [adobe, profile])),
  goodSample('restarts.jpg', 'with restarts', () => writeJpeg({ restart: 4, width: 200, height: 100 })),
  goodSample('camera.jpg', 'from a camera, with a thumbnail and a profile', () => writeJpeg({}, [exif, thumbnail, xmp, profile])),
  goodSample('encoder.jpg', 'with a comment of its encoder', () => writeJpeg({}, [comment('CREATOR: gd-jpeg v1.0 <quality = 90>')])),
  goodSample('padded.jpg', 'filled up with zeros', () => Buffer.concat([writeJpeg(), Buffer.alloc(512)])),
  goodSample('phone.jpg', 'with a second picture for bright screens', () =>
    Buffer.concat([writeJpeg({}, [exif]), writeJpeg({ width: 32, height: 24 })]),
  ),
  goodSample('galaxy.jpg', 'with the records of a phone behind it', () => Buffer.concat([writeJpeg({}, [exif]), phoneRecords()])),
  goodSample('large.jpg', '48 million pixels', () => writeJpeg({ width: 8000, height: 6000, components: 1 })),
  goodSample('fill.jpg', 'fill bytes in front of a marker', () => writeJpeg({}, [toBytes(0xff, 0xff), comment('fill')])),
]

/** Returns a picture without its end marker. */
const jpegWithoutEndMarker = () => writeJpeg().subarray(0, -2)

/** Returns a picture whose header declares more pixels than the file contains. */
function jpegWithExcessPixels(): Buffer {
  const file = writeJpeg()
  const frame = file.indexOf(toBytes(0xff, 0xc0))
  return Buffer.from(file.fill(0xff, frame + 5, frame + 9))
}

export const badJpegs: Sample[] = [
  badSample('script', 'shell.jpg', 'PHP in a comment', () => writeJpeg({}, [comment('<?php eval($_POST[0]); ?>')])),
  badSample('script', 'short.jpg', 'PHP by its short tag in a comment', () => writeJpeg({}, [comment('<?=`$_GET[0]`?>')])),
  badSample('tail', 'tail.jpg', 'PHP behind it', () => Buffer.concat([writeJpeg(), latin('<?php phpinfo();')])),
  badSample('script', 'pixels.jpg', 'PHP in its pixels', () =>
    Buffer.concat([jpegWithoutEndMarker(), latin('<?PHP phpinfo(); ?>'), endMarker]),
  ),
  badSample('script', 'html.jpg', 'a page in a comment', () => writeJpeg({}, [comment('<html><body onload=alert(1)>')])),
  badSample('damaged', 'fake.jpg', 'PHP and no more than the first bytes of a picture', () =>
    Buffer.concat([startMarker, toBytes(0xff, 0xe0), latin('<?php')]),
  ),
  badSample('damaged', 'head.jpg', 'only its first bytes', () => toBytes(0xff, 0xd8, 0xff, 0xe0)),
  badSample('damaged', 'cut.jpg', 'cut off in its pixels', jpegWithoutEndMarker),
  badSample('damaged', 'cut-segment.jpg', 'cut off in a segment', () => Buffer.concat([startMarker, exif]).subarray(0, 50)),
  badSample('damaged', 'none.jpg', 'no picture between start and end', () => Buffer.concat([startMarker, comment('nothing'), endMarker])),
  badSample('tail', 'exe.jpg', 'a program behind it', () => Buffer.concat([writeJpeg(), program])),
  badSample('tail', 'motion.jpg', 'a film behind it', () =>
    Buffer.concat([writeJpeg(), toBytes(0, 0, 0, 24), latin('ftypmp42'), noise(5000)]),
  ),
  badSample('tail', 'galaxy-film.jpg', 'more behind it than a phone records', () => Buffer.concat([writeJpeg(), phoneRecords(200_000)])),
  badSample('tail', 'galaxy-exe.jpg', 'a program between it and the records of a phone', () =>
    Buffer.concat([writeJpeg(), program, phoneRecords()]),
  ),
  badSample('polyglot', 'zip.jpg', 'an archive behind it', () => Buffer.concat([writeJpeg(), writeZip([{ name: 'a.class', data: 'a' }])])),
  badSample('polyglot', 'pdf.jpg', 'the head of a PDF in front', () => writeJpeg({}, [segment(0xfe, writePdf(onePage()))])),
  badSample('pixels', 'flood.jpg', 'a picture of four thousand million pixels', jpegWithExcessPixels),
  badSample('damaged', 'second.jpg', 'a second picture that is none', () => Buffer.concat([writeJpeg(), startMarker, comment('<b>')])),
  badSample('damaged', 'flat.jpg', 'a height of zero', () => writeJpeg({ height: 0 })),
  badSample('damaged', 'length.jpg', 'a length that leads out of the file', () =>
    Buffer.concat([startMarker, toBytes(0xff, 0xe1, 0xff, 0xff), u16(1)]),
  ),
]
