import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { refusedPhrases } from './refused-phrases'
import { findScreenTexts } from './screen-texts'

const root = fileURLToPath(new URL('..', import.meta.url))

const sourcePaths = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'lib'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|-violations\.ts$/.test(path))

/** Returns one message for each phrase of `refusedPhrases` in the screen texts of a source file. */
const findRefusedPhrases = (path: string, source: string) =>
  findScreenTexts(path, source).flatMap(({ line, text }) =>
    refusedPhrases.flatMap(({ phrase, say }) => {
      const foundPhrase = phrase.exec(text)?.[0]
      return foundPhrase === undefined
        ? []
        : [`${path}:${line} “${foundPhrase}” in “${text}”. Say: ${say}`]
    }),
  )

describe('the detector', () => {
  test.each([
    ["const a = 'Look at it anew'", 'a string'],
    ['const a = `Release is closed: \u0024{why}`', 'a template'],
    ['const a = <p>It is stopped for good.</p>', 'a text between tags'],
    ['const a = <Field label="In a sentence" />', 'an attribute'],
    ['const a = `limit \u0024{n} %`', 'a percent sign that is set off'],
    ["const a = { code: 'X', label: 'New authorisation' }", 'British spelling'],
  ])('finds in %s: %s', (source) => expect(findRefusedPhrases('a.tsx', source)).toHaveLength(1))

  test.each([
    ["const a = 'Re-verify'", 'the word of the list'],
    ['// It stands here for good\nconst a = 1', 'a comment'],
    ["type A = 'is decided anew'", 'a type'],
    ["const tab = 'unblockable'", 'a word for the machine'],
    ['const a = <p className="anew of it">Refresh balance</p>', 'a class name'],
  ])('accepts in %j: %s', (source) => expect(findRefusedPhrases('a.tsx', source)).toEqual([]))

  test('reports the place, the phrase and the replacement', () => {
    expect(findRefusedPhrases('a.tsx', "\nconst a = 'Hand to verification'")).toEqual([
      'a.tsx:2 “Hand to verification” in “Hand to verification”. Say: Submit for verification',
    ])
  })
})

test('screen texts contain no refused phrase', () => {
  expect(
    sourcePaths.flatMap((path) => findRefusedPhrases(path, readFileSync(join(root, path), 'utf8'))),
  ).toEqual([])
})
