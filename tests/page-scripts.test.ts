import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findBuiltPages } from './harness/built-pages'

/** Maximum size of the scripts in a page's HTML, in kB gzip (1000 bytes). */
const scriptLimitsKilobytes = { record: 220, other: 195 }

type ClientReferenceManifest = { entryJSFiles: Record<string, string[]> }
declare global {
  var __RSC_MANIFEST: Record<string, ClientReferenceManifest>
}

const require = createRequire(import.meta.url)
const pagesFolder = findBuiltPages('server/app')
const manifestSuffix = '_client-reference-manifest.js'

const readChunk = (chunk: string) => readFileSync(findBuiltPages(chunk))
const chunkSizes = new Map<string, number>()

function measureChunk(chunk: string): number {
  const chunkSize = chunkSizes.get(chunk) ?? gzipSync(readChunk(chunk), { level: 9 }).length
  chunkSizes.set(chunk, chunkSize)
  return chunkSize
}

const sumChunkKilobytes = (chunks: Iterable<string>) =>
  [...new Set(chunks)].reduce((sum, chunk) => sum + measureChunk(chunk), 0) / 1000

/**
 * Returns the route of a manifest file and the scripts in the route's HTML, according to the
 * build's manifests.
 */
function listRouteScripts(manifestFile: string): [route: string, chunks: string[]] {
  globalThis.__RSC_MANIFEST = {}
  require(join(pagesFolder, manifestFile))
  const [[route, manifest]] = Object.entries(globalThis.__RSC_MANIFEST) as [
    [string, ClientReferenceManifest],
  ]
  const { rootMainFiles } = JSON.parse(
    readFileSync(
      join(pagesFolder, manifestFile.replace(manifestSuffix, ''), 'build-manifest.json'),
      'utf8',
    ),
  )
  return [
    route,
    [...new Set<string>([...rootMainFiles, ...Object.values(manifest.entryJSFiles).flat()])],
  ]
}

const routeScripts = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(`page${manifestSuffix}`))
  .map(listRouteScripts)

const isRecordRoute = (route: string) => /\(desk\).*\/\[\w+\]\/page$/.test(route)

type RouteSize = { route: string; size: number }

const findRoutesOverLimit = (measuredSizes: RouteSize[], limitKilobytes: number) =>
  measuredSizes
    .filter(({ size }) => size > limitKilobytes)
    .map(({ route, size }) => `${route}: ${size.toFixed(1)} kB, limit ${limitKilobytes} kB`)

test('every page of the build is measured', () => {
  const sourcePageFiles = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('page.tsx'),
  )
  const generatedRoutes = ['/_global-error/page', '/_not-found/page']
  expect(routeScripts.map(([route]) => route).sort()).toEqual(
    [...generatedRoutes, ...sourcePageFiles.map((file) => `/${file.slice(0, -4)}`)].sort(),
  )
})

test.each([
  ['a record', scriptLimitsKilobytes.record, true],
  ['a list or another page', scriptLimitsKilobytes.other, false],
])('%s loads at most %s kB of scripts', (_name, most, record) => {
  const routeSizes = routeScripts
    .filter(([route]) => isRecordRoute(route) === record)
    .map(([route, first]) => ({ route, size: sumChunkKilobytes(first) }))
  expect(routeSizes.length).toBeGreaterThan(5)
  expect(findRoutesOverLimit(routeSizes, most)).toEqual([])
})
