import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findBuiltPages } from './harness/built-pages'

/** Maximum size of the scripts in a page's HTML, in kB gzip (1000 bytes). */
const kilobyteLimits = { record: 220, other: 195 }

type Manifest = { entryJSFiles: Record<string, string[]> }
declare global {
  var __RSC_MANIFEST: Record<string, Manifest>
}

const require = createRequire(import.meta.url)
const pages = findBuiltPages('server/app')
const suffix = '_client-reference-manifest.js'

const readChunk = (chunk: string) => readFileSync(findBuiltPages(chunk))
const sizes = new Map<string, number>()

function measureChunk(chunk: string): number {
  const cached = sizes.get(chunk) ?? gzipSync(readChunk(chunk), { level: 9 }).length
  sizes.set(chunk, cached)
  return cached
}

const sumKilobytes = (chunks: Iterable<string>) => [...new Set(chunks)].reduce((sum, chunk) => sum + measureChunk(chunk), 0) / 1000

/** Returns a route and the scripts in its HTML, according to the build's manifests. */
function listFirstScripts(file: string): [route: string, chunks: string[]] {
  globalThis.__RSC_MANIFEST = {}
  require(join(pages, file))
  const [[route, manifest]] = Object.entries(globalThis.__RSC_MANIFEST) as [[string, Manifest]]
  const { rootMainFiles } = JSON.parse(readFileSync(join(pages, file.replace(suffix, ''), 'build-manifest.json'), 'utf8'))
  return [route, [...new Set<string>([...rootMainFiles, ...Object.values(manifest.entryJSFiles).flat()])]]
}

const routes = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(`page${suffix}`))
  .map(listFirstScripts)

const isRecord = (route: string) => /\(desk\).*\/\[\w+\]\/page$/.test(route)

type RouteSize = { route: string; size: number }

const findOverLimit = (weights: RouteSize[], most: number) =>
  weights.filter(({ size }) => size > most).map(({ route, size }) => `${route}: ${size.toFixed(1)} kB, limit ${most} kB`)

test('every page of the build is measured', () => {
  const writtenPages = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('page.tsx'))
  const generatedRoutes = ['/_global-error/page', '/_not-found/page']
  expect(routes.map(([route]) => route).sort()).toEqual([...generatedRoutes, ...writtenPages.map((file) => `/${file.slice(0, -4)}`)].sort())
})

test.each([
  ['a record', kilobyteLimits.record, true],
  ['a list or another page', kilobyteLimits.other, false],
])('%s loads at most %s kB of scripts', (_name, most, record) => {
  const routeSizes = routes.filter(([route]) => isRecord(route) === record).map(([route, first]) => ({ route, size: sumKilobytes(first) }))
  expect(routeSizes.length).toBeGreaterThan(5)
  expect(findOverLimit(routeSizes, most)).toEqual([])
})
