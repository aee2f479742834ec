import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './import-graph'

/** The packages that the decisions require, and the folders that must use each of them. */
const namedPackages: Readonly<Record<string, readonly string[]>> = {
  next: ['app', 'components', 'lib'],
  react: ['app', 'components', 'lib'],
  '@tanstack/react-query': ['app', 'components', 'lib'],
  'react-hook-form': ['components'],
  zod: ['lib'],
  tailwindcss: ['app', 'tailwind.config.ts'],
  'next-auth': ['app', 'lib'],
  '@playwright/test': ['e2e'],
}

type Package = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

/** Returns true if a source imports a package at run time, not only its types. Style sheets import with `@import`. */
const importsAtRunTime = (source: string, name: string): boolean => {
  const specifier = `['"]${name.replaceAll('/', '\\/')}(?:\\/[^'"]*)?['"]`
  return new RegExp(`^(?:import (?!type\\b)[^;]*?|\\} )from ${specifier}|^import ${specifier}|^@import ${specifier}`, 'm').test(source)
}

/** Returns an error message for each fault in the use of a package: not in package.json, or not imported by the product. */
function findFaults(name: string, { dependencies = {}, devDependencies = {} }: Package, sources: readonly string[]): string[] {
  const isListed = name in dependencies || name in devDependencies
  return [
    ...(isListed ? [] : [`${name} is not in package.json`]),
    ...(sources.some((source) => importsAtRunTime(source, name)) ? [] : [`${name} is imported nowhere`]),
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
  ])('%j: %j', (source, faults) => expect(findFaults('zod', packageWithZod, [source])).toEqual(faults))
  test('rejects an unlisted package', () =>
    expect(findFaults('zod', {}, ["import * as z from 'zod'\n"])).toEqual(['zod is not in package.json']))
  test('accepts a style sheet', () => expect(findFaults('zod', packageWithZod, ['@import "zod";\n'])).toEqual([]))
})

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package
const trackedFiles = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')

test.each(Object.entries(namedPackages))('%s is a dependency and is used', (name, rooms) => {
  const isProduct = (path: string) =>
    rooms.some((room) => path === room || path.startsWith(`${room}/`)) && /\.(tsx?|css)$/.test(path) && !/\.test\.tsx?$/.test(path)
  const sources = trackedFiles.filter(isProduct).map((path) => readFileSync(join(root, path), 'utf8'))
  expect(findFaults(name, manifest, sources)).toEqual([])
})
