import { endMarker, startMarker, writeJpeg, writeSegment } from './jpeg-writer'
import { createOnePage, writePdf } from './pdf-writer'
import {
  createBadSample,
  createGoodSample,
  createNoise,
  encodeLatin1,
  encodeUint16,
  encodeUint32,
  type SampleFile,
  toBytes,
  windowsProgramBytes,
} from './sample'
import { writeZip } from './zip-writer'

const exifSegment = writeSegment(
  0xe1,
  Buffer.concat([encodeLatin1('Exif\0\0MM\0*\0\0\0\x08\0\0'), createNoise(4000, 7)]),
)
const thumbnailSegment = writeSegment(
  0xe1,
  Buffer.concat([
    encodeLatin1('Exif\0\0II*\0\x08\0\0\0\0\0'),
    writeJpeg({ width: 16, height: 16 }),
  ]),
)
const xmpSegment = writeSegment(
  0xe1,
  encodeLatin1(
    'http://ns.adobe.com/xap/1.0/\0<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"/>',
  ),
)
const colorProfileSegment = writeSegment(
  0xe2,
  Buffer.concat([encodeLatin1('ICC_PROFILE\0\x01\x01'), createNoise(3000, 3)]),
)
const adobeSegment = writeSegment(0xee, encodeLatin1('Adobe\0\x64\0\0\0\0\x02'))
const writeComment = (text: string) => writeSegment(0xfe, encodeLatin1(text))

/**
 * Returns the data that Samsung phones append to a picture: a record, and a directory that readers
 * find from the end of the file.
 */
function createPhoneTrailer(length = 24): Buffer {
  const timeRecord = Buffer.concat([
    toBytes(0, 0, 1, 10),
    encodeUint32(14),
    encodeLatin1('Image_UTC_Data'),
    createNoise(length, 5),
  ])
  const directoryEntry = Buffer.concat([
    toBytes(0, 0, 1, 10),
    encodeUint32(timeRecord.length),
    encodeUint32(timeRecord.length),
  ])
  const trailerDirectory = Buffer.concat([
    encodeLatin1('SEFH'),
    encodeUint32(107),
    encodeUint32(1),
    directoryEntry,
  ])
  return Buffer.concat([
    timeRecord,
    trailerDirectory,
    encodeUint32(trailerDirectory.length),
    encodeLatin1('SEFT'),
  ])
}

export const goodJpegs: SampleFile[] = [
  createGoodSample('scan.jpg', 'baseline', () => writeJpeg()),
  createGoodSample('progressive.jpeg', 'progressive', () => writeJpeg({ frame: 0xc2 })),
  createGoodSample('gray.JPG', 'gray, from a scanner', () => writeJpeg({ components: 1 })),
  createGoodSample('print.jpg', 'CMYK with the mark of Adobe', () =>
    writeJpeg({ components: 4 }, [adobeSegment, colorProfileSegment]),
  ),
  createGoodSample('restarts.jpg', 'with restarts', () =>
    writeJpeg({ restart: 4, width: 200, height: 100 }),
  ),
  createGoodSample('camera.jpg', 'from a camera, with a thumbnail and a profile', () =>
    writeJpeg({}, [exifSegment, thumbnailSegment, xmpSegment, colorProfileSegment]),
  ),
  createGoodSample('encoder.jpg', 'with a comment of its encoder', () =>
    writeJpeg({}, [writeComment('CREATOR: gd-jpeg v1.0 <quality = 90>')]),
  ),
  createGoodSample('padded.jpg', 'filled up with zeros', () =>
    Buffer.concat([writeJpeg(), Buffer.alloc(512)]),
  ),
  createGoodSample('phone.jpg', 'with a second picture for bright screens', () =>
    Buffer.concat([writeJpeg({}, [exifSegment]), writeJpeg({ width: 32, height: 24 })]),
  ),
  createGoodSample('galaxy.jpg', 'with the records of a phone behind it', () =>
    Buffer.concat([writeJpeg({}, [exifSegment]), createPhoneTrailer()]),
  ),
  createGoodSample('large.jpg', '48 million pixels', () =>
    writeJpeg({ width: 8000, height: 6000, components: 1 }),
  ),
  createGoodSample('fill.jpg', 'fill bytes in front of a marker', () =>
    writeJpeg({}, [toBytes(0xff, 0xff), writeComment('fill')]),
  ),
]

const createJpegWithoutEndMarker = () => writeJpeg().subarray(0, -2)

/** Returns a picture whose header declares more pixels than the file contains. */
function createJpegWithExcessPixels(): Buffer {
  const jpegBytes = writeJpeg()
  const frameOffset = jpegBytes.indexOf(toBytes(0xff, 0xc0))
  return Buffer.from(jpegBytes.fill(0xff, frameOffset + 5, frameOffset + 9))
}

export const badJpegs: SampleFile[] = [
  createBadSample('script', 'shell.jpg', 'PHP in a comment', () =>
    writeJpeg({}, [writeComment('<?php eval($_POST[0]); ?>')]),
  ),
  createBadSample('script', 'short.jpg', 'PHP by its short tag in a comment', () =>
    writeJpeg({}, [writeComment('<?=`$_GET[0]`?>')]),
  ),
  createBadSample('tail', 'tail.jpg', 'PHP behind it', () =>
    Buffer.concat([writeJpeg(), encodeLatin1('<?php phpinfo();')]),
  ),
  createBadSample('script', 'pixels.jpg', 'PHP in its pixels', () =>
    Buffer.concat([createJpegWithoutEndMarker(), encodeLatin1('<?PHP phpinfo(); ?>'), endMarker]),
  ),
  createBadSample('script', 'html.jpg', 'a page in a comment', () =>
    writeJpeg({}, [writeComment('<html><body onload=alert(1)>')]),
  ),
  createBadSample('damaged', 'fake.jpg', 'PHP and no more than the first bytes of a picture', () =>
    Buffer.concat([startMarker, toBytes(0xff, 0xe0), encodeLatin1('<?php')]),
  ),
  createBadSample('damaged', 'head.jpg', 'only its first bytes', () =>
    toBytes(0xff, 0xd8, 0xff, 0xe0),
  ),
  createBadSample('damaged', 'cut.jpg', 'cut off in its pixels', createJpegWithoutEndMarker),
  createBadSample('damaged', 'cut-segment.jpg', 'cut off in a segment', () =>
    Buffer.concat([startMarker, exifSegment]).subarray(0, 50),
  ),
  createBadSample('damaged', 'none.jpg', 'no picture between start and end', () =>
    Buffer.concat([startMarker, writeComment('nothing'), endMarker]),
  ),
  createBadSample('tail', 'exe.jpg', 'a program behind it', () =>
    Buffer.concat([writeJpeg(), windowsProgramBytes]),
  ),
  createBadSample('tail', 'motion.jpg', 'a film behind it', () =>
    Buffer.concat([writeJpeg(), toBytes(0, 0, 0, 24), encodeLatin1('ftypmp42'), createNoise(5000)]),
  ),
  createBadSample('tail', 'galaxy-film.jpg', 'more behind it than a phone records', () =>
    Buffer.concat([writeJpeg(), createPhoneTrailer(200_000)]),
  ),
  createBadSample('tail', 'galaxy-exe.jpg', 'a program between it and the records of a phone', () =>
    Buffer.concat([writeJpeg(), windowsProgramBytes, createPhoneTrailer()]),
  ),
  createBadSample('polyglot', 'zip.jpg', 'an archive behind it', () =>
    Buffer.concat([writeJpeg(), writeZip([{ name: 'a.class', data: 'a' }])]),
  ),
  createBadSample('polyglot', 'pdf.jpg', 'the head of a PDF in front', () =>
    writeJpeg({}, [writeSegment(0xfe, writePdf(createOnePage()))]),
  ),
  createBadSample(
    'pixels',
    'flood.jpg',
    'a picture of four thousand million pixels',
    createJpegWithExcessPixels,
  ),
  createBadSample('damaged', 'second.jpg', 'a second picture that is none', () =>
    Buffer.concat([writeJpeg(), startMarker, writeComment('<b>')]),
  ),
  createBadSample('damaged', 'flat.jpg', 'a height of zero', () => writeJpeg({ height: 0 })),
  createBadSample('damaged', 'length.jpg', 'a length that leads out of the file', () =>
    Buffer.concat([startMarker, toBytes(0xff, 0xe1, 0xff, 0xff), encodeUint16(1)]),
  ),
]
