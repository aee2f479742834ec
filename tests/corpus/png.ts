import { deflateSync } from 'node:zlib'
import { createOnePage, writePdf } from './pdf-writer'
import {
  createPictureChunks,
  type PngChunk,
  type PngOptions,
  pngSignature,
  writeChunk,
  writePng,
} from './png-writer'
import {
  createBadSample,
  createGoodSample,
  createNoise,
  encodeLatin1,
  encodeUint32BigEndian,
  type SampleFile,
  toBytes,
  windowsProgramBytes,
} from './sample'
import { writeZip } from './zip-writer'

const endChunk: PngChunk = { type: 'IEND' }
const createTextChunk = (value: string): PngChunk => ({
  type: 'tEXt',
  data: encodeLatin1(`Comment\0${value}`),
})
const paletteChunk: PngChunk = { type: 'PLTE', data: toBytes(0, 0, 0, 255, 255, 255) }

/**
 * Returns a picture with additional chunks between its header and its pixels (`before`) and after
 * its pixels (`after`).
 */
function createPng(
  picture: PngOptions = {},
  before: PngChunk[] = [],
  after: PngChunk[] = [],
): Buffer {
  const [header, pixels] = createPictureChunks(picture)
  return writePng([header, ...before, pixels, ...after, endChunk])
}

/** Returns a picture whose pixels are in several chunks, as most encoders write them. */
function createPngWithManyChunks(): Buffer {
  const [header, { data = new Uint8Array() }] = createPictureChunks({ width: 900, height: 700 })
  const dataChunks = [data.subarray(0, 100), data.subarray(100, 300), data.subarray(300)].map(
    (piece) => ({ type: 'IDAT', data: piece }),
  )
  return writePng([header, ...dataChunks, endChunk])
}

const exifChunk: PngChunk = {
  type: 'eXIf',
  data: Buffer.concat([encodeLatin1('MM\0*'), encodeUint32BigEndian(8), toBytes(0, 0, 0, 0, 0, 0)]),
}
const colorProfileChunk: PngChunk = {
  type: 'iCCP',
  data: Buffer.concat([encodeLatin1('ICC Profile\0\0'), deflateSync(createNoise(3000))]),
}
const xmpChunk: PngChunk = {
  type: 'iTXt',
  data: encodeLatin1(
    'XML:com.adobe.xmp\0\0\0\0\0<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta><?xpacket end="w"?>',
  ),
}

export const goodPngs: SampleFile[] = [
  createGoodSample('scan.png', 'a small one', () => createPng()),
  createGoodSample('fax.PNG', 'black and white, one bit', () =>
    createPng({ color: 0, depth: 1, width: 1728, height: 2200 }),
  ),
  createGoodSample('deep.png', '16 bits, with transparency', () =>
    createPng({ color: 6, depth: 16 }),
  ),
  createGoodSample('interlaced.png', 'interlaced', () =>
    createPng({ interlace: 1, width: 33, height: 21 }),
  ),
  createGoodSample('palette.png', 'with a palette', () =>
    createPng({ color: 3, depth: 2 }, [paletteChunk, { type: 'tRNS', data: toBytes(0) }]),
  ),
  createGoodSample('chunks.png', 'pixels in several chunks', createPngWithManyChunks),
  createGoodSample('screenshot.png', 'with profile, resolution, time, text and camera data', () =>
    createPng(
      {},
      [
        colorProfileChunk,
        {
          type: 'pHYs',
          data: Buffer.concat([
            encodeUint32BigEndian(2835),
            encodeUint32BigEndian(2835),
            toBytes(1),
          ]),
        },
        xmpChunk,
        exifChunk,
      ],
      [createTextChunk('Signed <b>here</b>')],
    ),
  ),
  createGoodSample('editor.png', 'with a private chunk of an editor', () =>
    createPng({}, [{ type: 'vpAg', data: createNoise(40) }]),
  ),
  createGoodSample('large.png', '49 million pixels', () =>
    createPng({ color: 0, depth: 1, width: 7000, height: 7000 }),
  ),
]

function createBrokenPng(change: (chunks: PngChunk[]) => PngChunk[]): () => Buffer {
  const [header, pixels] = createPictureChunks()
  return () => writePng(change([header, pixels, endChunk]))
}

const createPngWithChunk = (chunk: PngChunk) =>
  createBrokenPng(([header, ...rest]) => [header ?? endChunk, chunk, ...rest])

export const badPngs: SampleFile[] = [
  createBadSample('kind', 'page.png', 'a web page by the name of a picture', () =>
    encodeLatin1('<!doctype html><script>alert(1)</script>'),
  ),
  createBadSample('damaged', 'head.png', 'only its first eight bytes', () => pngSignature),
  createBadSample('damaged', 'cut.png', 'cut off in its pixels', () => createPng().subarray(0, 60)),
  createBadSample(
    'damaged',
    'endless.png',
    'without an end',
    createBrokenPng((chunks) => chunks.slice(0, 2)),
  ),
  createBadSample('tail', 'exe.png', 'a program behind it', () =>
    Buffer.concat([createPng(), windowsProgramBytes]),
  ),
  createBadSample('tail', 'one.png', 'one byte behind it', () =>
    Buffer.concat([createPng(), toBytes(0)]),
  ),
  createBadSample('polyglot', 'zip.png', 'an archive behind it', () =>
    Buffer.concat([createPng(), writeZip([{ name: 'a.txt', data: 'a' }])]),
  ),
  createBadSample(
    'tail',
    'fat-end.png',
    'an end with data in it',
    createBrokenPng(([a = endChunk, b = endChunk]) => [
      a,
      b,
      { type: 'IEND', data: windowsProgramBytes },
    ]),
  ),
  createBadSample(
    'damaged',
    'crc.png',
    'a wrong checksum',
    createPngWithChunk({ type: 'tEXt', data: encodeLatin1('a\0b'), crc: 1 }),
  ),
  createBadSample(
    'script',
    'php.png',
    'PHP in a comment',
    createPngWithChunk(createTextChunk('<?php system($_GET["c"]); ?>')),
  ),
  createBadSample(
    'script',
    'script.png',
    'a script in a comment',
    createPngWithChunk(createTextChunk('<ScRiPt>alert(1)</script>')),
  ),
  createBadSample('pixels', 'flood.png', 'a hundred million pixels', () =>
    createPng({ color: 0, depth: 1, width: 10_000, height: 10_000 }),
  ),
  createBadSample(
    'pixels',
    'lie.png',
    'four thousand million pixels told in a small file',
    createBrokenPng(([, pixels = endChunk]) => [
      {
        type: 'IHDR',
        data: Buffer.concat([
          encodeUint32BigEndian(65_535),
          encodeUint32BigEndian(65_535),
          toBytes(8, 2, 0, 0, 0),
        ]),
      },
      pixels,
      endChunk,
    ]),
  ),
  createBadSample(
    'damaged',
    'none.png',
    'no pixels at all',
    createBrokenPng(([header = endChunk]) => [header, endChunk]),
  ),
  createBadSample('damaged', 'thin.png', 'a width of zero', () => createPng({ width: 0 })),
  createBadSample('damaged', 'color.png', 'a kind of color that is none', () =>
    createPng({ color: 5 }),
  ),
  createBadSample(
    'polyglot',
    'pdf.png',
    'the head of a PDF in front',
    createPngWithChunk({ type: 'prVt', data: writePdf(createOnePage()) }),
  ),
  createBadSample(
    'polyglot',
    'inner-zip.png',
    'an archive inside, whose comment reaches to the end',
    () => {
      const endBytes = writeChunk(endChunk)
      const archive = writeZip([{ name: 'a.class', data: 'a' }], {
        comment: ' '.repeat(4 + endBytes.length),
      })
      const [header, pixels] = createPictureChunks()
      return writePng([
        header,
        pixels,
        { type: 'zzZz', data: archive.subarray(0, archive.length - 4 - endBytes.length) },
        endChunk,
      ])
    },
  ),
]
