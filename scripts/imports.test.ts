import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderRuleSamples } from './fixtures/violations/imports'
import { createImportSource } from './fixtures/violations/violation'

const root = fileURLToPath(new URL('..', import.meta.url))
let sampleFolder = ''
/**
 * The imports that a rule refused. The key is the importing file; each value is `<rule> <import>`.
 */
const refusedImportsByFile = new Map<string, Set<string>>()

function writeSource(path: string, source: string): void {
  const sourceFilePath = join(sampleFolder, path)
  mkdirSync(dirname(sourceFilePath), { recursive: true })
  writeFileSync(sourceFilePath, source)
}

/**
 * Returns the file that an import resolves to. Returns null for a package, and for './nowhere', for
 * which no file may exist.
 */
function resolveImport(specifier: string, importer: string): string | null {
  if (specifier === './nowhere') return null
  if (specifier.startsWith('@/')) return `${specifier.slice(2)}.ts`
  return specifier.startsWith('./') ? join(dirname(importer), `${specifier}.ts`) : null
}

/**
 * Writes a file with all these imports, and creates the imported files, so that each import
 * resolves.
 */
function writeImporter(importer: string, specifiers: readonly string[]): void {
  writeSource(
    importer,
    `${specifiers.map((name, at) => `import { thing as thing${at} } from '${name}'`).join('\n')}\n`,
  )
  for (const specifier of specifiers) {
    const importedFile = resolveImport(specifier, importer)
    if (
      importedFile &&
      !existsSync(join(sampleFolder, importedFile)) &&
      !existsSync(join(sampleFolder, `${importedFile}x`))
    )
      writeSource(importedFile, 'export const thing = 1\n')
  }
}

type DependencyReport = {
  modules: { source: string; dependencies: { module: string; rules?: { name: string }[] }[] }[]
}

/**
 * Runs dependency-cruiser with the project's configuration on the written files, and stores the
 * imports that it refuses.
 */
function collectRefusedImports(): void {
  const cruiserPath = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const checkedFolders = [
    'app',
    'components',
    'lib',
    'sandbox',
    'scripts',
    'tests',
    'e2e',
    'proxy.ts',
  ]
  const reportJson = execFileSync(
    process.execPath,
    [cruiserPath, '-T', 'json', ...checkedFolders],
    {
      cwd: sampleFolder,
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  )
  for (const { source, dependencies } of (JSON.parse(reportJson) as DependencyReport).modules) {
    const refusedImports = dependencies.flatMap(({ module, rules }) =>
      (rules ?? []).map(({ name }) => `${name} ${module}`),
    )
    refusedImportsByFile.set(source, new Set(refusedImports))
  }
}

const circularFiles = ['lib/server/circle/one.ts', 'lib/server/circle/two.ts']

beforeAll(() => {
  sampleFolder = mkdtempSync(join(tmpdir(), 'imports-'))
  for (const name of ['.dependency-cruiser.mjs', 'package.json', 'tsconfig.json'])
    copyFileSync(join(root, name), join(sampleFolder, name))
  symlinkSync(join(root, 'node_modules'), join(sampleFolder, 'node_modules'))
  for (const { from, refused, allowed } of folderRuleSamples)
    writeImporter(from, [...Object.values(refused).flat(), ...allowed])
  writeSource(circularFiles[0] ?? '', createImportSource('./two'))
  writeSource(
    circularFiles[1] ?? '',
    "import type { kept } from './one'\n\nexport const thing: typeof kept | null = null\n",
  )
  collectRefusedImports()
}, 60_000)

afterAll(() => rmSync(sampleFolder, { recursive: true, force: true }))

describe.each(folderRuleSamples)('$from', ({ from, refused, allowed }) => {
  test.each(
    Object.entries(refused).flatMap(([rule, names]) => names.map((name) => `${rule} ${name}`)),
  )('rejects %s', (refusal) => {
    expect([...(refusedImportsByFile.get(from) ?? [])]).toContain(removeNodeScheme(refusal))
  })
  test('allows the other imports', () => {
    const refusedImportsOfFile = [...(refusedImportsByFile.get(from) ?? [])]
    expect(
      refusedImportsOfFile.filter((refusal) => allowed.includes(refusal.split(' ')[1] ?? '')),
    ).toEqual([])
  })
})

/** Removes `node:` from a refusal, because dependency-cruiser reports Node's modules without it. */
const removeNodeScheme = (refusal: string) => refusal.replace('node:', '')

test('a circular import is rejected, also one of types', () => {
  expect([...(refusedImportsByFile.get(circularFiles[1] ?? '') ?? [])]).toEqual(['no-circle ./one'])
})
