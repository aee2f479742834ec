import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderRules } from './fixtures/violations/imports'
import { createImportSource } from './fixtures/violations/violation'

const root = fileURLToPath(new URL('..', import.meta.url))
let layout = ''
/** The refused imports of each file, as `<rule> <import>`. */
const refusals = new Map<string, Set<string>>()

function writeSource(path: string, source: string): void {
  const file = join(layout, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
}

/** Returns the file that an import resolves to. Returns null for a package, and for './nowhere', which must not exist. */
function resolveImport(specifier: string, from: string): string | null {
  if (specifier === './nowhere') return null
  if (specifier.startsWith('@/')) return `${specifier.slice(2)}.ts`
  return specifier.startsWith('./') ? join(dirname(from), `${specifier}.ts`) : null
}

/** Writes a file with all these imports, and an empty target file for each import. */
function writeImporter(from: string, specifiers: readonly string[]): void {
  writeSource(from, `${specifiers.map((name, at) => `import { thing as thing${at} } from '${name}'`).join('\n')}\n`)
  for (const specifier of specifiers) {
    const target = resolveImport(specifier, from)
    if (target && !existsSync(join(layout, target)) && !existsSync(join(layout, `${target}x`)))
      writeSource(target, 'export const thing = 1\n')
  }
}

type Report = { modules: { source: string; dependencies: { module: string; rules?: { name: string }[] }[] }[] }

/** Checks the imports of the layout with the project's own configuration, and fills `refusals`. */
function checkImports(): void {
  const bin = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const folders = ['app', 'components', 'lib', 'sandbox', 'scripts', 'tests', 'e2e', 'proxy.ts']
  const output = execFileSync(process.execPath, [bin, '-T', 'json', ...folders], { cwd: layout, encoding: 'utf8', maxBuffer: 1e8 })
  for (const { source, dependencies } of (JSON.parse(output) as Report).modules) {
    const refusedImports = dependencies.flatMap(({ module, rules }) => (rules ?? []).map(({ name }) => `${name} ${module}`))
    refusals.set(source, new Set(refusedImports))
  }
}

const circularFiles = ['lib/server/circle/one.ts', 'lib/server/circle/two.ts']

beforeAll(() => {
  layout = mkdtempSync(join(tmpdir(), 'imports-'))
  for (const name of ['.dependency-cruiser.mjs', 'package.json', 'tsconfig.json']) copyFileSync(join(root, name), join(layout, name))
  symlinkSync(join(root, 'node_modules'), join(layout, 'node_modules'))
  for (const { from, refused, allowed } of folderRules) writeImporter(from, [...Object.values(refused).flat(), ...allowed])
  writeSource(circularFiles[0] ?? '', createImportSource('./two'))
  writeSource(circularFiles[1] ?? '', "import type { kept } from './one'\n\nexport const thing: typeof kept | null = null\n")
  checkImports()
}, 60_000)

afterAll(() => rmSync(layout, { recursive: true, force: true }))

describe.each(folderRules)('$from', ({ from, refused, allowed }) => {
  test.each(Object.entries(refused).flatMap(([rule, names]) => names.map((name) => `${rule} ${name}`)))('rejects %s', (refusal) => {
    expect([...(refusals.get(from) ?? [])]).toContain(removeScheme(refusal))
  })
  test('allows the other imports', () => {
    const fileRefusals = [...(refusals.get(from) ?? [])]
    expect(fileRefusals.filter((refusal) => allowed.includes(refusal.split(' ')[1] ?? ''))).toEqual([])
  })
})

/** Removes `node:` from a refusal, because the report names Node's modules without it. */
const removeScheme = (refusal: string) => refusal.replace('node:', '')

test('a circular import is rejected, also one of types', () => {
  expect([...(refusals.get(circularFiles[1] ?? '') ?? [])]).toEqual(['no-circle ./one'])
})
