import { deflateSync } from 'node:zlib'
import { onePage, writePdf } from './pdf-writer'
import { type Picture, type PngChunk, pictureChunks, pngHead, writeChunk, writePng } from './png-writer'
import { badSample, goodSample, latin, noise, program, type Sample, toBytes, u32be } from './sample'
import { writeZip } from './zip-writer'

const endChunk: PngChunk = { type: 'IEND' }
const text = (value: string): PngChunk => ({ type: 'tEXt', data: latin(`Comment\0${value}`) })
const palette: PngChunk = { type: 'PLTE', data: toBytes(0, 0, 0, 255, 255, 255) }

/** Returns a picture with additional chunks between its header and its pixels (`before`) and after its pixels (`behind`). */
function png(picture: Picture = {}, before: PngChunk[] = [], after: PngChunk[] = []): Buffer {
  const [header, pixels] = pictureChunks(picture)
  return writePng([header, ...before, pixels, ...after, endChunk])
}

/** Returns a picture whose pixels are in several chunks, as most encoders write them. */
function manyChunks(): Buffer {
  const [header, { data = new Uint8Array() }] = pictureChunks({ width: 900, height: 700 })
  const pieces = [data.subarray(0, 100), data.subarray(100, 300), data.subarray(300)].map((piece) => ({ type: 'IDAT', data: piece }))
  return writePng([header, ...pieces, endChunk])
}

const exif: PngChunk = { type: 'eXIf', data: Buffer.concat([latin('MM\0*'), u32be(8), toBytes(0, 0, 0, 0, 0, 0)]) }
const profile: PngChunk = { type: 'iCCP', data: Buffer.concat([latin('ICC Profile\0\0'), deflateSync(noise(3000))]) }
const xmp: PngChunk = {
  type: 'iTXt',
  data: latin('XML:com.adobe.xmp\0\0\0\0\0<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta><?xpacket end="w"?>'),
}

export const goodPngs: Sample[] = [
  goodSample('scan.png', 'a small one', () => png()),
  goodSample('fax.PNG', 'black and white, one bit', () => png({ color: 0, depth: 1, width: 1728, height: 2200 })),
  goodSample('deep.png', '16 bits, with transparency', () => png({ color: 6, depth: 16 })),
  goodSample('interlaced.png', 'interlaced', () => png({ interlace: 1, width: 33, height: 21 })),
  goodSample('palette.png', 'with a palette', () => png({ color: 3, depth: 2 }, [palette, { type: 'tRNS', data: toBytes(0) }])),
  goodSample('chunks.png', 'pixels in several chunks', manyChunks),
  goodSample('screenshot.png', 'with profile, resolution, time, text and camera data', () =>
    png(
      {},
      [profile, { type: 'pHYs', data: Buffer.concat([u32be(2835), u32be(2835), toBytes(1)]) }, xmp, exif],
      [text('Signed <b>here</b>')],
    ),
  ),
  goodSample('editor.png', 'with a private chunk of an editor', () => png({}, [{ type: 'vpAg', data: noise(40) }])),
  goodSample('large.png', '49 million pixels', () => png({ color: 0, depth: 1, width: 7000, height: 7000 })),
]

function brokenPng(change: (chunks: PngChunk[]) => PngChunk[]): () => Buffer {
  const [header, pixels] = pictureChunks()
  return () => writePng(change([header, pixels, endChunk]))
}

const pngWithChunk = (chunk: PngChunk) => brokenPng(([header, ...rest]) => [header ?? endChunk, chunk, ...rest])

export const badPngs: Sample[] = [
  badSample('kind', 'page.png', 'a web page by the name of a picture', () => latin('<!doctype html><script>alert(1)</script>')),
  badSample('damaged', 'head.png', 'only its first eight bytes', () => pngHead),
  badSample('damaged', 'cut.png', 'cut off in its pixels', () => png().subarray(0, 60)),
  badSample(
    'damaged',
    'endless.png',
    'without an end',
    brokenPng((chunks) => chunks.slice(0, 2)),
  ),
  badSample('tail', 'exe.png', 'a program behind it', () => Buffer.concat([png(), program])),
  badSample('tail', 'one.png', 'one byte behind it', () => Buffer.concat([png(), toBytes(0)])),
  badSample('polyglot', 'zip.png', 'an archive behind it', () => Buffer.concat([png(), writeZip([{ name: 'a.txt', data: 'a' }])])),
  badSample(
    'tail',
    'fat-end.png',
    'an end with data in it',
    brokenPng(([a = endChunk, b = endChunk]) => [a, b, { type: 'IEND', data: program }]),
  ),
  badSample('damaged', 'crc.png', 'a wrong checksum', pngWithChunk({ type: 'tEXt', data: latin('a\0b'), crc: 1 })),
  badSample('script', 'php.png', 'PHP in a comment', pngWithChunk(text('<?php system($_GET["c"]); ?>'))),
  badSample('script', 'script.png', 'a script in a comment', pngWithChunk(text('<ScRiPt>alert(1)</script>'))),
  badSample('pixels', 'flood.png', 'a hundred million pixels', () => png({ color: 0, depth: 1, width: 10_000, height: 10_000 })),
  badSample(
    'pixels',
    'lie.png',
    'four thousand million pixels told in a small file',
    brokenPng(([, pixels = endChunk]) => [
      { type: 'IHDR', data: Buffer.concat([u32be(65_535), u32be(65_535), toBytes(8, 2, 0, 0, 0)]) },
      pixels,
      endChunk,
    ]),
  ),
  badSample(
    'damaged',
    'none.png',
    'no pixels at all',
    brokenPng(([header = endChunk]) => [header, endChunk]),
  ),
  badSample('damaged', 'thin.png', 'a width of zero', () => png({ width: 0 })),
  badSample('damaged', 'color.png', 'a kind of color that is none', () => png({ color: 5 })),
  badSample('polyglot', 'pdf.png', 'the head of a PDF in front', pngWithChunk({ type: 'prVt', data: writePdf(onePage()) })),
  badSample('polyglot', 'inner-zip.png', 'an archive inside, whose comment reaches to the end', () => {
    const behind = writeChunk(endChunk)
    const archive = writeZip([{ name: 'a.class', data: 'a' }], { comment: ' '.repeat(4 + behind.length) })
    const [header, pixels] = pictureChunks()
    return writePng([header, pixels, { type: 'zzZz', data: archive.subarray(0, archive.length - 4 - behind.length) }, endChunk])
  }),
]
