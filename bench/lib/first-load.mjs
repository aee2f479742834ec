import { gzipSync } from 'node:zlib'

const findTags = (html, tag) =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>`, 'gi'))].map(([text]) => text)
const readAttribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1]

/**
 * @param {string} html
 * @returns {Set<string>} URLs. Omits `nomodule` scripts, which are for old browsers.
 */
export const findScripts = (html) =>
  new Set(
    findTags(html, 'script')
      .filter((tag) => !/\bnomodule\b/i.test(tag))
      .flatMap((tag) => readAttribute(tag, 'src') ?? []),
  )

/**
 * Preloads: the browser fetches these scripts early, but does not wait for them.
 * @param {string} html
 * @returns {string[]} URLs
 */
export const findPreloads = (html) =>
  findTags(html, 'link')
    .filter(
      (tag) =>
        readAttribute(tag, 'as') === 'script' || readAttribute(tag, 'rel') === 'modulepreload',
    )
    .flatMap((tag) => readAttribute(tag, 'href') ?? [])

/** @type {Map<string, Promise<number>>} */
const gzipSizeByUrl = new Map()

async function fetchGzipSize(url) {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length
}

/**
 * Fetches each script only once per process.
 * @param {string} base origin of the dashboard
 * @param {Iterable<string>} sources
 * @returns {Promise<number>} kB (1000 bytes)
 */
export async function sumGzipSizes(base, sources) {
  const urls = [...sources].map((source) => new URL(source, base).href)
  for (const url of urls) if (!gzipSizeByUrl.has(url)) gzipSizeByUrl.set(url, fetchGzipSize(url))
  const gzipSizes = await Promise.all(urls.map((url) => gzipSizeByUrl.get(url)))
  return gzipSizes.reduce((sum, size) => sum + size, 0) / 1000
}
