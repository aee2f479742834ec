import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const ignored = new Set([
  'node_modules',
  '.git',
  ...readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, '')),
])
const files = filesUnder('').filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
const sourcesIn = (...rooms: string[]) => files.filter((path) => rooms.some((room) => path.startsWith(`${room}/`)) && !isTest(path))

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (ignored.has(entry.name)) return []
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

/** `path:line` of each line the pattern finds, so that a failure says where to go. */
const linesLike = (paths: string[], pattern: RegExp) =>
  paths.flatMap((path) =>
    text(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  )

/** Exported names whose line is not directly below a docstring. A later overload shares its first one's. */
function withoutDocstring(source: string): string[] {
  const seen = new Set<string>()
  const lines = source.split('\n')
  return lines.flatMap((line, index) => {
    const name = /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|type|interface) (\w+)/.exec(line)?.[1]
    if (!name || seen.has(name)) return []
    seen.add(name)
    return lines[index - 1]?.trimEnd().endsWith('*/') ? [] : [name]
  })
}

/** A written-out address of a page or of our own API. Static matchers of proxy.ts cannot be computed, so it is not looked at. */
const handWrittenUrl = /['"`]\/(?:api|sign-in|sandbox|production)(?=[/'"`?])|['"`]\/\$\{\w*environment/i

describe('the detectors see what they are for', () => {
  test.each([
    ['/** What. */\nexport const a = 1\nexport function b() {}', ['b']],
    ['/**\n * What.\n */\nexport type A = 1\n\nexport const c = 1', ['c']],
    ['/** One. */\nexport function a(n: 1): 1\nexport function a(n: 2): 2', []],
    ["export { a } from './a'", []],
  ])('docstrings in %j', (source, names) => expect(withoutDocstring(source)).toEqual(names))

  test.each(["href='/sandbox/payouts'", '`/api/\u0024{x}`', "'/api'", '`/\u0024{environment}/payouts`', '`/production?x`'])(
    'an address in %s',
    (line) => expect(line).toMatch(handWrittenUrl),
  )
  test.each(["'/payouts/:id'", "'@/sandbox/x'", "'./sandbox/x'", "'/sandboxes'"])('no address in %s', (line) =>
    expect(line).not.toMatch(handWrittenUrl),
  )
})

test('every file in lib/server begins with server-only', () => {
  expect(sourcesIn('lib/server').filter((path) => !text(path).startsWith("import 'server-only'\n"))).toEqual([])
})

test('no index files', () => {
  expect(files.filter((path) => /(^|\/)index\.\w+$/.test(path))).toEqual([])
})

test('every export of lib and sandbox has a docstring', () => {
  expect(sourcesIn('lib', 'sandbox').flatMap((path) => withoutDocstring(text(path)).map((name) => `${path} ${name}`))).toEqual([])
})

test('addresses of our own pages and API come from lib/routes', () => {
  const looked = sourcesIn('app', 'components', 'lib').filter((path) => path !== 'lib/routes.ts')
  expect(linesLike(looked, handWrittenUrl).filter((line) => !/ (?:\*|\/[/*])/.test(line))).toEqual([])
})

test('the rooms are the ones that are drawn', () => {
  const stray = (room: string, allowed: RegExp) => files.filter((path) => path.startsWith(`${room}/`) && !allowed.test(path))
  expect(stray('components', /^components\/(?:kits\/)?[a-z-]+\/[^/]+$/)).toEqual([])
  expect(
    stray('lib', /^lib\/(?:(?:operations|domain|client|server)\/.+|(?:errors|money|dates|routes|pages|filter)(?:\.test)?\.ts)$/),
  ).toEqual([])
})

test('the environment is not read by another name', () => {
  expect(linesLike(sourcesIn('app', 'components', 'lib', 'sandbox'), /from '(?:node:)?process'/)).toEqual([])
})

test('tests wait on conditions, never on the clock', () => {
  expect(
    linesLike([...files.filter(isTest), ...sourcesIn('e2e')], /\bsetTimeout\(|timers\/promises['"]/).filter(
      (line) => !line.startsWith('scripts/house.test.ts'),
    ),
  ).toEqual([])
})

test('no test plans a fault for whoever asks next', () => {
  const looked = files.filter((path) => /^(?:e2e|tests)\//.test(path))
  expect(linesLike(looked, /\bmatch: ['"`]\*/)).toEqual([])
})

test('no unfinished notes and no banners', () => {
  const looked = files.filter((path) => path !== 'scripts/house.test.ts')
  expect(linesLike(looked, /\b(?:TODO|FIXME|XXX|HACK)\b|^\s*\/\/\s*[-=─*#]{4,}/)).toEqual([])
})
