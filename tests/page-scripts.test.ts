import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { builtPages } from './harness/built-pages'

/** Scripts of a page in kB gzip (1000 bytes): what its HTML loads, and for a record that with all parts that follow without a click. */
const limit = { first: 195, all: 220 }

type Manifest = { entryJSFiles: Record<string, string[]> }
declare global {
  var __RSC_MANIFEST: Record<string, Manifest>
}

const require = createRequire(import.meta.url)
const pages = builtPages('server/app')
const suffix = '_client-reference-manifest.js'

const contentsOf = (chunk: string) => readFileSync(builtPages(chunk))
const sizes = new Map<string, number>()

function sizeOf(chunk: string): number {
  const cached = sizes.get(chunk) ?? gzipSync(contentsOf(chunk), { level: 9 }).length
  sizes.set(chunk, cached)
  return cached
}

const kilobytes = (chunks: Iterable<string>) => [...new Set(chunks)].reduce((sum, chunk) => sum + sizeOf(chunk), 0) / 1000

/** The scripts that the HTML of a route loads, as the build's manifests list them. */
function firstScripts(file: string): [route: string, chunks: string[]] {
  globalThis.__RSC_MANIFEST = {}
  require(join(pages, file))
  const [[route, manifest]] = Object.entries(globalThis.__RSC_MANIFEST) as [[string, Manifest]]
  const { rootMainFiles } = JSON.parse(readFileSync(join(pages, file.replace(suffix, ''), 'build-manifest.json'), 'utf8'))
  return [route, [...new Set<string>([...rootMainFiles, ...Object.values(manifest.entryJSFiles).flat()])]]
}

const routes = readdirSync(pages, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(`page${suffix}`))
  .map(firstScripts)

const isCode = (file: string) => /\.tsx?$/.test(file) && !file.includes('.test.')

/** Names of what is loaded without a click: `afterHydration(() => import(…))` in components, `void import(…)` in effects. The build keeps them. */
const lateNames = new Set(
  readdirSync('components', { recursive: true, encoding: 'utf8' })
    .filter(isCode)
    .flatMap((file) => [
      ...readFileSync(join('components', file), 'utf8').matchAll(/(?:afterHydration(?:OnNeed)?\(\(\) => |void )import.*/g),
    ])
    .map(([line]) => /\(\{ (\w+) \}\)|\bmodule\.(\w+)/.exec(line))
    .flatMap((match) => match?.[1] ?? match?.[2] ?? []),
)

/** In a script of the build: `e.A(12).then(({customerParts:e})=>…`, `e.A(12).then(e=>e.RecordTimeline)`. */
const namedImport = /\.A\((\d+)\)\.then\((?:\(\{(\w+):|(\w+)=>\3\.(\w+))/g
/** The message shown when a part fails to load is itself loaded at once: `e.A(12).catch(()=>null)`. */
const standInImport = /\.A\((\d+)\)\.catch\(\(\)=>null\)/g
/** The scripts of import 12: `12,e=>{e.v(t=>Promise.all(["static/chunks/a.js"]…`. */
const importScripts = /(\d+),\w+=>\{\w+\.v\(\w+=>Promise\.all\((\[[^\]]*\])/g

/** Returns the scripts that the first ones load without a click, and the names of the parts in them. */
function lateScripts(first: string[]): { names: string[]; chunks: string[] } {
  const source = first.map((chunk) => contentsOf(chunk).toString()).join('\n')
  const chunks = new Map([...source.matchAll(importScripts)].map(([, id, list]) => [id, JSON.parse(list ?? '[]') as string[]]))
  const named = [...source.matchAll(namedImport)].map(([, id, part, , member]) => ({ id, name: part ?? member ?? '' }))
  const lateImports = named.filter(({ name }) => lateNames.has(name))
  const ids = [...lateImports.map(({ id }) => id), ...[...source.matchAll(standInImport)].map(([, id]) => id)]
  return { names: lateImports.map(({ name }) => name), chunks: ids.flatMap((id) => chunks.get(id) ?? []) }
}

type Weight = { route: string; size: number }

const overLimit = (weights: Weight[], most: number) =>
  weights.filter(({ size }) => size > most).map(({ route, size }) => `${route}: ${size.toFixed(1)} kB, limit ${most} kB`)

test('every page of the build is measured', () => {
  const written = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('page.tsx'))
  const generated = ['/_global-error/page', '/_not-found/page']
  expect(routes.map(([route]) => route).sort()).toEqual([...generated, ...written.map((file) => `/${file.slice(0, -4)}`)].sort())
})

test('no page loads more than 195 kB of scripts first', () => {
  const weights = routes.map(([route, first]) => ({ route, size: kilobytes(first) }))
  expect(overLimit(weights, limit.first)).toEqual([])
})

test('no record loads more than 220 kB of scripts without a click', () => {
  const records = routes
    .filter(([route]) => /\(desk\).*\/\[\w+\]\/page$/.test(route))
    .map(([route, first]) => {
      const { names, chunks } = lateScripts(first)
      return { route, names, size: kilobytes([...first, ...chunks]) }
    })
  expect(new Set(records.flatMap(({ names }) => names)), 'parts of records found in the build').toEqual(lateNames)
  expect(overLimit(records, limit.all)).toEqual([])
})
