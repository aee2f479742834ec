import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { operationIds, rowOf } from '@/lib/operations/rows'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const endings = ['.ts', '.tsx', '/index.ts']

/** Every file below a folder whose name is one of `names`. */
function filesNamed(folder: string, names: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesNamed(path, names)
    return names.includes(entry.name) ? [path] : []
  })
}

/** Every source file below a folder but the tests. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) ? [path] : []
  })
}

/** The file an import means, or null for a package. */
function fileOf(specifier: string, importer: string): string | null {
  const base = specifier.startsWith('@/')
    ? join(root, specifier.slice(2))
    : specifier.startsWith('./')
      ? join(dirname(importer), specifier)
      : null
  if (base === null) return null
  return [base, ...endings.map((ending) => base + ending)].find((path) => /\.tsx?$/.test(path) && existsSync(path)) ?? null
}

const imports = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** What a page is made of: everything its file imports, at once or later. Types are imported too, and harm nothing: they name no operation. */
function partsOf(page: string): Set<string> {
  const found = new Set<string>()
  const open = [page]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(imports)) {
      const next = fileOf(specifier ?? '', file)
      if (next) open.push(next)
    }
  }
  return found
}

/** Files that draw or ask: the contract names every operation and proves nothing, and the domain knows them by their rules only. */
const asks = (file: string) => /^(app|components)\//.test(relative(root, file)) && !/\.test\.tsx?$/.test(file)

function operationsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return operationIds.filter((id) => text.includes(`'${id}'`) || text.includes(`"${id}"`))
}

const pages = filesNamed(join(root, 'app'), ['page.tsx', 'layout.tsx'])
const used = new Set(pages.flatMap((page) => [...partsOf(page)].filter(asks).flatMap(operationsIn)))

/** What the server asks for a page by itself has no route of its own: it has to be asked somewhere in `lib/server`. */
const askedByServer = new Set(filesBelow(join(root, 'lib/server')).flatMap(operationsIn))

describe('every operation is reached from a page', () => {
  test.each(operationIds)('%s', (id) => {
    const found = rowOf(id).internal ? askedByServer.has(id) : used.has(id)
    expect(found, `no page uses ${id}`).toBe(true)
  })
})

test('the walk follows what is imported later', () => {
  const page = pages.find((path) => path.endsWith('payouts/[id]/page.tsx')) ?? ''
  expect([...partsOf(page)].map((file) => relative(root, file))).toContain('components/payments/decision-form.tsx')
})
