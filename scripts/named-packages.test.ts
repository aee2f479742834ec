import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from './import-graph'

/**
 * The packages that the product must use, each with the folders or files in which it must be
 * imported at least once.
 */
const foldersByPackage: Readonly<Record<string, readonly string[]>> = {
  next: ['app', 'components', 'lib'],
  react: ['app', 'components', 'lib'],
  '@tanstack/react-query': ['app', 'components', 'lib'],
  'react-hook-form': ['components'],
  zod: ['lib'],
  tailwindcss: ['app', 'tailwind.config.ts'],
  'next-auth': ['app', 'lib'],
  '@playwright/test': ['e2e'],
}

type PackageJson = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Returns true if a source imports a package at run time, not only its types. Style sheets import
 * with `@import`.
 */
const importsPackageAtRunTime = (source: string, name: string): boolean => {
  const specifierPattern = `['"]${name.replaceAll('/', '\\/')}(?:\\/[^'"]*)?['"]`
  return new RegExp(
    `^(?:import (?!type\\b)[^;]*?|\\} )from ${specifierPattern}|^import ${specifierPattern}|^@import ${specifierPattern}`,
    'm',
  ).test(source)
}

/** Returns a message if the package is not in package.json, and one if no source imports it. */
function findPackageFaults(
  name: string,
  { dependencies = {}, devDependencies = {} }: PackageJson,
  sources: readonly string[],
): string[] {
  const isListed = name in dependencies || name in devDependencies
  return [
    ...(isListed ? [] : [`${name} is not in package.json`]),
    ...(sources.some((source) => importsPackageAtRunTime(source, name))
      ? []
      : [`${name} is imported nowhere`]),
  ]
}

describe('the check', () => {
  const packageWithZod = { dependencies: { zod: '4.0.0' } }
  test.each([
    ["import * as z from 'zod'\n", []],
    ["import { z } from 'zod/mini'\n", []],
    ["import type * as z from 'zod'\n", ['zod is imported nowhere']],
    ["// import * as z from 'zod'\n", ['zod is imported nowhere']],
    ["import * as z from 'zod-like'\n", ['zod is imported nowhere']],
    ['', ['zod is imported nowhere']],
  ])('%j: %j', (source, faults) =>
    expect(findPackageFaults('zod', packageWithZod, [source])).toEqual(faults),
  )
  test('rejects an unlisted package', () =>
    expect(findPackageFaults('zod', {}, ["import * as z from 'zod'\n"])).toEqual([
      'zod is not in package.json',
    ]))
  test('accepts a style sheet', () =>
    expect(findPackageFaults('zod', packageWithZod, ['@import "zod";\n'])).toEqual([]))
})

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as PackageJson
const trackedFiles = execFileSync('git', ['ls-files'], {
  cwd: projectRoot,
  encoding: 'utf8',
}).split('\n')

test.each(Object.entries(foldersByPackage))('%s is a dependency and is used', (name, rooms) => {
  const isProductFile = (path: string) =>
    rooms.some((room) => path === room || path.startsWith(`${room}/`)) &&
    /\.(tsx?|css)$/.test(path) &&
    !/\.test\.tsx?$/.test(path)
  const productSources = trackedFiles
    .filter(isProductFile)
    .map((path) => readFileSync(join(projectRoot, path), 'utf8'))
  expect(findPackageFaults(name, manifest, productSources)).toEqual([])
})
