import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkEnglish } from './plain-english'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * All source files, except generated ones, test fixtures with deliberate violations, and the files
 * `plain-english*` themselves.
 */
const sourcePaths = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(
    (path) => path && !/^(?:drizzle|public|scripts\/fixtures)\/|^scripts\/plain-english/.test(path),
  )

const maximumShares = { unclear: 0.02, vague: 0.003 }

describe('finds', () => {
  test.each([
    ['// What is open on it, as the reader knows.', 'a sentence without a subject'],
    ['/** Null if nobody has decided. */', 'a person without a role'],
    ['// Empty where there is none to list.', '“where” for “if”'],
    ['// The resolver is told when it ends.', 'a thing that hears'],
    ['// The row says that it was sent.', 'a thing that speaks'],
    ['// It has the page read after the write.', 'a thing that has something done'],
    ['// The reader meanwhile waits for a row.', 'an archaic adverb'],
  ])('%s: %s', (source) =>
    expect(checkEnglish('a.ts', `${source}\nconst a = 1`).unclear).toHaveLength(1),
  )

  test.each(['const told = 1', 'let { a } = b; function kept() {}', 'type Way = 1; type own = 2'])(
    'a vague name in %s',
    (source) => expect(checkEnglish('a.ts', source).vague).toHaveLength(1),
  )

  test.each([
    '// Returns the open action on the target, or null.\nconst action = 1',
    'const text = "Nobody is told where it is"',
    'const keptRows = { told: 1 }',
    '// Whether?\nconst a = 1',
  ])('nothing in %j', (source) => {
    const { unclear, vague } = checkEnglish('a.ts', source)
    expect([...unclear, ...vague]).toEqual([])
  })
})

test('nearly all comments and names are in plain English', { timeout: 120_000 }, () => {
  const englishReports = sourcePaths.map((path) =>
    checkEnglish(path, readFileSync(join(root, path), 'utf8')),
  )
  const sumReports = (getCount: (reading: (typeof englishReports)[number]) => number) =>
    englishReports.reduce((total, reading) => total + getCount(reading), 0)
  const [unclear, vague] = [
    englishReports.flatMap((reading) => reading.unclear),
    englishReports.flatMap((reading) => reading.vague),
  ]
  expect(sumReports(({ comments }) => comments)).toBeGreaterThan(5000)
  expect(
    unclear.slice(Math.floor(maximumShares.unclear * sumReports(({ comments }) => comments))),
  ).toEqual([])
  expect(vague.slice(Math.floor(maximumShares.vague * sumReports(({ names }) => names)))).toEqual(
    [],
  )
})
