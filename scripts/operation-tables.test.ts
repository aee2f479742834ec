import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operationIds } from '@/lib/operations/operations'
import { listSourceFiles, projectRoot } from './import-graph'

const isOperationId = (word = '') => operationIds.some((id) => id === word)
const findOperationIds = (source: string, pattern: RegExp) =>
  [...source.matchAll(pattern)].flatMap(([, id = '']) => (isOperationId(id) ? [id] : []))

/**
 * Matches an operation id that is an object key or a switch case. Does not match one in a condition
 * (`? 'a.b' :`).
 */
const idKeyPattern = /(?:^|[{,]|\bcase)\s*\[?['"]([a-z_]+\.[a-z_]+)['"]\]?\s*:/gm
const collectionPattern = /new (?:Map|Set)(?:<[^(]*>)?\(\s*\[[\s\S]*?\]\s*\)/g
const quotedIdPattern = /['"]([a-z_]+\.[a-z_]+)['"]/g
const idComparisonPattern = /(?:[=!]==\s*['"]([a-z_]+\.[a-z_]+)['"])/g

/**
 * Matches the object in which a feature registers its own operations. It may list operation ids:
 * its type `DeskOperationHandlers` requires an entry for every operation, so none can be forgotten.
 */
const registrationPattern = /^export const \w+: DeskOperationHandlers<[\s\S]*?^ {0,2}\}$/gm

/**
 * Returns the operation ids of a source if it contains two or more as keys, switch cases, or
 * members of a Map or Set. Else returns an empty list.
 */
function findOperationIdsInTables(source: string): string[] {
  const checkedSource = source.replace(registrationPattern, '')
  const collectionIds = [...checkedSource.matchAll(collectionPattern)].flatMap(([text]) =>
    findOperationIds(text, quotedIdPattern),
  )
  const foundIds = [...findOperationIds(checkedSource, idKeyPattern), ...collectionIds]
  return foundIds.length > 1 ? foundIds : []
}

const checkedFiles = ['app', 'components', 'lib']
  .flatMap((room) => listSourceFiles(join(projectRoot, room)))
  .map((path) => relative(projectRoot, path))
const sourceFiles = checkedFiles
  .filter((path) => !path.startsWith('lib/operations/'))
  .map((path) => ({ path, source: readFileSync(join(projectRoot, path), 'utf8') }))

describe('the detector finds', () => {
  test.each([
    "const ways = { 'payouts.get': 'path', 'charges.get': 'path' }",
    "const ways = {\n  'payouts.get': 'path',\n  'charges.get': 'path',\n}",
    "new Set(['payouts.get', 'charges.get'])",
    "new Map<OperationId, string>([\n  ['payouts.get', 'a'],\n  ['charges.get', 'b'],\n])",
    "switch (id) {\n    case 'payouts.get':\n    case 'charges.get':\n}",
  ])('a table in %j', (source) =>
    expect(findOperationIdsInTables(source)).toEqual(['payouts.get', 'charges.get']),
  )

  test.each([
    "const id = kind === 'payout' ? 'payouts.get' : 'charges.get'",
    "registerOperation('payouts.release', { before })\nregisterOperation('charges.release', { before })",
    "const done = { 'payouts.get': 'path' }",
    "const icons = { 'a.b': 'path', 'c.d': 'path' }",
  ])('no table in %j', (source) => expect(findOperationIdsInTables(source)).toEqual([]))
})

test('facts about an operation are only in its definition, not in a second table', () => {
  expect(
    sourceFiles.flatMap(({ path, source }) =>
      findOperationIdsInTables(source).map((id) => `${path} ${id}`),
    ),
  ).toEqual([])
})

test('the platform code checks properties of an operation, never its ID', () => {
  const serverSources = sourceFiles.filter(({ path }) => path.startsWith('lib/server/'))
  expect(
    serverSources.flatMap(({ path, source }) =>
      findOperationIds(source, idComparisonPattern).map((id) => `${path} ${id}`),
    ),
  ).toEqual([])
})
