import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { houseViolations, limits } from './fixtures/violations/habits'
import type { Violation } from './fixtures/violations/violation'

const root = fileURLToPath(new URL('..', import.meta.url))
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
const layouts: string[] = []
/** The rules that reported each file. The key is `<layout>/<path>`. */
const reportedRules = new Map<string, Set<string>>()

/** Lints one layout with the project's own configuration and adds the reported rules to `reportedRules`. */
function lintLayout(layout: string) {
  mkdirSync(join(layout, 'sandbox'), { recursive: true })
  for (const name of ['biome.json', 'package.json', 'sandbox/package.json', '.gitignore'])
    copyFileSync(join(root, name), join(layout, name))
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '--colors=off', '.']
  let output: string
  try {
    output = execFileSync(process.execPath, args, { cwd: layout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    // If there are findings, the linter exits with 1, but its output is complete.
    output = (error as { stdout: string }).stdout
  }
  const report = JSON.parse(output) as { diagnostics: { category: string; location: { path: string } }[] }
  for (const { category, location } of report.diagnostics) {
    const key = `${layout}/${location.path}`
    reportedRules.set(key, (reportedRules.get(key) ?? new Set()).add(category))
  }
}

/**
 * Assigns each source to a layout, a folder in which no other source has the same path. A few runs of the linter then check all sources.
 */
function writeSources(sources: { path: string; source: string }[]) {
  const pathsByLayout: Set<string>[] = []
  return sources.map(({ path, source }) => {
    let layoutIndex = pathsByLayout.findIndex((paths) => !paths.has(path))
    if (layoutIndex < 0) layoutIndex = pathsByLayout.push(new Set()) - 1
    pathsByLayout[layoutIndex]?.add(path)
    layouts[layoutIndex] ??= mkdtempSync(join(tmpdir(), 'habits-'))
    const file = join(layouts[layoutIndex] ?? '', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, source)
    return file
  })
}

const violations = [...limits, ...houseViolations]
const rows = violations.map((row, index) => ({ ...row, index }))
let files: string[] = []

beforeAll(() => {
  files = writeSources(
    violations.flatMap((row: Violation) => [
      { path: row.path, source: row.bad },
      { path: row.goodPath ?? row.path, source: row.good },
    ]),
  )
  for (const layout of layouts) lintLayout(layout)
}, 60_000)

afterAll(() => {
  for (const layout of layouts) rmSync(layout, { recursive: true, force: true })
})

const listReportedRules = (file: string | undefined) => [...(reportedRules.get(file ?? '') ?? [])]

describe.each(rows)('$path: $title', ({ rule, index }) => {
  test('finds the violation', () => {
    expect(listReportedRules(files[index * 2])).toContain(`lint/${rule}`)
  })
  test('accepts its correct twin', () => {
    expect(listReportedRules(files[index * 2 + 1])).toEqual([])
  })
})
