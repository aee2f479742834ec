import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitViolations, projectRuleViolations } from './fixtures/violations/habits'
import type { RuleViolationSample } from './fixtures/violations/violation'

const root = fileURLToPath(new URL('..', import.meta.url))
const biomePath = join(root, 'node_modules/@biomejs/biome/bin/biome')
const sampleFolders: string[] = []
/** The lint rules that reported each file. The key is the absolute path of the file. */
const reportedRulesByFile = new Map<string, Set<string>>()

/**
 * Runs Biome with the project's configuration in one temporary folder, and stores the rules that
 * report a file there.
 */
function lintSampleFolder(sampleFolder: string) {
  mkdirSync(join(sampleFolder, 'sandbox'), { recursive: true })
  for (const name of ['biome.json', 'package.json', 'sandbox/package.json', '.gitignore'])
    copyFileSync(join(root, name), join(sampleFolder, name))
  const biomeArgs = [
    biomePath,
    'lint',
    '--reporter=json',
    '--max-diagnostics=none',
    '--colors=off',
    '.',
  ]
  let lintOutput: string
  try {
    lintOutput = execFileSync(process.execPath, biomeArgs, {
      cwd: sampleFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    // If there are findings, the linter exits with 1, but its output is complete.
    lintOutput = (error as { stdout: string }).stdout
  }
  const lintReport = JSON.parse(lintOutput) as {
    diagnostics: { category: string; location: { path: string } }[]
  }
  for (const { category, location } of lintReport.diagnostics) {
    const samplePath = `${sampleFolder}/${location.path}`
    reportedRulesByFile.set(
      samplePath,
      (reportedRulesByFile.get(samplePath) ?? new Set()).add(category),
    )
  }
}

/**
 * Writes each source to the first temporary folder that has no file at its path yet, and returns
 * the paths of the files. Sources with the same path are then in different folders, and Biome runs
 * once per folder, not once per source.
 */
function writeSources(sources: { path: string; source: string }[]) {
  const folderPathSets: Set<string>[] = []
  return sources.map(({ path, source }) => {
    let folderIndex = folderPathSets.findIndex((paths) => !paths.has(path))
    if (folderIndex < 0) folderIndex = folderPathSets.push(new Set()) - 1
    folderPathSets[folderIndex]?.add(path)
    sampleFolders[folderIndex] ??= mkdtempSync(join(tmpdir(), 'habits-'))
    const sampleFilePath = join(sampleFolders[folderIndex] ?? '', path)
    mkdirSync(dirname(sampleFilePath), { recursive: true })
    writeFileSync(sampleFilePath, source)
    return sampleFilePath
  })
}

const violations = [...limitViolations, ...projectRuleViolations]
const indexedViolations = violations.map((row, index) => ({ ...row, index }))
let sampleFiles: string[] = []

beforeAll(() => {
  sampleFiles = writeSources(
    violations.flatMap((row: RuleViolationSample) => [
      { path: row.path, source: row.bad },
      { path: row.goodPath ?? row.path, source: row.good },
    ]),
  )
  for (const layout of sampleFolders) lintSampleFolder(layout)
}, 60_000)

afterAll(() => {
  for (const layout of sampleFolders) rmSync(layout, { recursive: true, force: true })
})

const listReportedRules = (file: string | undefined) => [
  ...(reportedRulesByFile.get(file ?? '') ?? []),
]

describe.each(indexedViolations)('$path: $title', ({ rule, index }) => {
  test('finds the violation', () => {
    expect(listReportedRules(sampleFiles[index * 2])).toContain(`lint/${rule}`)
  })
  test('accepts its correct twin', () => {
    expect(listReportedRules(sampleFiles[index * 2 + 1])).toEqual([])
  })
})
