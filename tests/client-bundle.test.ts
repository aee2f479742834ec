import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBuiltPages } from './harness/built-pages'

/** The prefix of all CSS classes and ids of the query devtools. */
const devtoolsPrefix = 'tsqd-'

const listScripts = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name))

const hasDevtools = (path: string) => readFileSync(path, 'utf8').includes(devtoolsPrefix)

test('no script of a production build contains the devtools of the query cache', () => {
  expect(listScripts('node_modules/@tanstack/query-devtools/build').some(hasDevtools)).toBe(true)
  const scripts = listScripts(findBuiltPages('static'))
  expect(scripts.length).toBeGreaterThan(10)
  expect(scripts.filter(hasDevtools)).toEqual([])
})
