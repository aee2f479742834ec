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
  badSample,
  createNoise,
  encodeLatin1,
  goodSample,
  type SampleFile,
  toBytes,
  u32be,
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
  data: Buffer.concat([encodeLatin1('MM\0*'), u32be(8), toBytes(0, 0, 0, 0, 0, 0)]),
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
  goodSample('scan.png', 'a small one', () => createPng()),
  goodSample('fax.PNG', 'black and white, one bit', () =>
    createPng({ color: 0, depth: 1, width: 1728, height: 2200 }),
  ),
  goodSample('deep.png', '16 bits, with transparency', () => createPng({ color: 6, depth: 16 })),
  goodSample('interlaced.png', 'interlaced', () =>
    createPng({ interlace: 1, width: 33, height: 21 }),
  ),
  goodSample('palette.png', 'with a palette', () =>
    createPng({ color: 3, depth: 2 }, [paletteChunk, { type: 'tRNS', data: toBytes(0) }]),
  ),
  goodSample('chunks.png', 'pixels in several chunks', createPngWithManyChunks),
  goodSample('screenshot.png', 'with profile, resolution, time, text and camera data', () =>
    createPng(
      {},
      [
        colorProfileChunk,
        { type: 'pHYs', data: Buffer.concat([u32be(2835), u32be(2835), toBytes(1)]) },
        xmpChunk,
        exifChunk,
      ],
      [createTextChunk('Signed <b>here</b>')],
    ),
  ),
  goodSample('editor.png', 'with a private chunk of an editor', () =>
    createPng({}, [{ type: 'vpAg', data: createNoise(40) }]),
  ),
  goodSample('large.png', '49 million pixels', () =>
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
  badSample('kind', 'page.png', 'a web page by the name of a picture', () =>
    encodeLatin1('<!doctype html><script>alert(1)</script>'),
  ),
  badSample('damaged', 'head.png', 'only its first eight bytes', () => pngSignature),
  badSample('damaged', 'cut.png', 'cut off in its pixels', () => createPng().subarray(0, 60)),
  badSample(
    'damaged',
    'endless.png',
    'without an end',
    createBrokenPng((chunks) => chunks.slice(0, 2)),
  ),
  badSample('tail', 'exe.png', 'a program behind it', () =>
    Buffer.concat([createPng(), windowsProgramBytes]),
  ),
  badSample('tail', 'one.png', 'one byte behind it', () =>
    Buffer.concat([createPng(), toBytes(0)]),
  ),
  badSample('polyglot', 'zip.png', 'an archive behind it', () =>
    Buffer.concat([createPng(), writeZip([{ name: 'a.txt', data: 'a' }])]),
  ),
  badSample(
    'tail',
    'fat-end.png',
    'an end with data in it',
    createBrokenPng(([a = endChunk, b = endChunk]) => [
      a,
      b,
      { type: 'IEND', data: windowsProgramBytes },
    ]),
  ),
  badSample(
    'damaged',
    'crc.png',
    'a wrong checksum',
    createPngWithChunk({ type: 'tEXt', data: encodeLatin1('a\0b'), crc: 1 }),
  ),
  badSample(
    'script',
    'php.png',
    'PHP in a comment',
    createPngWithChunk(createTextChunk('<?php system($_GET["c"]); ?>')),
  ),
  badSample(
    'script',
    'script.png',
    'a script in a comment',
    createPngWithChunk(createTextChunk('<ScRiPt>alert(1)</script>')),
  ),
  badSample('pixels', 'flood.png', 'a hundred million pixels', () =>
    createPng({ color: 0, depth: 1, width: 10_000, height: 10_000 }),
  ),
  badSample(
    'pixels',
    'lie.png',
    'four thousand million pixels told in a small file',
    createBrokenPng(([, pixels = endChunk]) => [
      { type: 'IHDR', data: Buffer.concat([u32be(65_535), u32be(65_535), toBytes(8, 2, 0, 0, 0)]) },
      pixels,
      endChunk,
    ]),
  ),
  badSample(
    'damaged',
    'none.png',
    'no pixels at all',
    createBrokenPng(([header = endChunk]) => [header, endChunk]),
  ),
  badSample('damaged', 'thin.png', 'a width of zero', () => createPng({ width: 0 })),
  badSample('damaged', 'color.png', 'a kind of color that is none', () => createPng({ color: 5 })),
  badSample(
    'polyglot',
    'pdf.png',
    'the head of a PDF in front',
    createPngWithChunk({ type: 'prVt', data: writePdf(createOnePage()) }),
  ),
  badSample(
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
