import { gzipSync } from 'node:zlib'

const findTags = (html, tag) =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>`, 'gi'))].map(([text]) => text)
const readAttribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1]

/**
 * Returns the URLs of the scripts that a page needs at first load. Omits scripts for browsers
 * without modules (`nomodule`).
 * @param {string} html the first response for the page
 * @returns {Set<string>}
 */
export const findScripts = (html) =>
  new Set(
    findTags(html, 'script')
      .filter((tag) => !/\bnomodule\b/i.test(tag))
      .flatMap((tag) => readAttribute(tag, 'src') ?? []),
  )

/**
 * Returns the URLs of scripts that a page preloads: the browser fetches them early, but does not
 * wait for them.
 * @param {string} html
 * @returns {string[]}
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
 * Returns the total gzip size of scripts in kB (1000 bytes). Fetches each script only once per
 * process.
 * @param {string} base origin of the dashboard
 * @param {Iterable<string>} sources
 * @returns {Promise<number>}
 */
export async function sumGzipSizes(base, sources) {
  const urls = [...sources].map((source) => new URL(source, base).href)
  for (const url of urls) if (!gzipSizeByUrl.has(url)) gzipSizeByUrl.set(url, fetchGzipSize(url))
  const gzipSizes = await Promise.all(urls.map((url) => gzipSizeByUrl.get(url)))
  return gzipSizes.reduce((sum, size) => sum + size, 0) / 1000
}
