import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const ignoredFolders = new Set([
  'node_modules',
  '.git',
  ...readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, '')),
])
const files = listFilesUnder('').filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
const findSourcesIn = (...rooms: string[]) => files.filter((path) => rooms.some((room) => path.startsWith(`${room}/`)) && !isTest(path))

function listFilesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (ignoredFolders.has(entry.name)) return []
    return entry.isDirectory() ? listFilesUnder(path) : [path]
  })
}

/** Returns `path:line` and the text of each line that matches the pattern. */
const findMatchingLines = (paths: string[], pattern: RegExp) =>
  paths.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  )

/** Matches a hard-coded URL of a page or of our own API. proxy.ts is not checked: Next requires static strings in its matchers. */
const handWrittenUrl = /['"`]\/(?:api|sign-in|sandbox|production)(?=[/'"`?])|['"`]\/\$\{\w*environment/i

/** Matches a formatter created outside of lib/formats.ts. The sandbox cannot import lib, so its modules may create one at the top level. */
const ownFormat = /(?<!^const \w+ = new )\bIntl\.\w+\(|\.toLocale(?:Date|Time)String\(|\.toLocaleString\([^()]*,/

describe('the detectors find', () => {
  test.each(["href='/sandbox/payouts'", '`/api/\u0024{x}`', "'/api'", '`/\u0024{environment}/payouts`', '`/production?x`'])(
    'a hand-written URL in %s',
    (line) => expect(line).toMatch(handWrittenUrl),
  )
  test.each(['  const a = new Intl.NumberFormat()', 'Intl.DateTimeFormat()', "a.toLocaleDateString('en')", "n.toLocaleString('en', {"])(
    'a second formatter in %s',
    (line) => expect(line).toMatch(ownFormat),
  )
  test.each(['const a = new Intl.Collator()', "n.toLocaleString('en-US')", 'type A = Intl.DateTimeFormatOptions'])(
    'no second formatter in %s',
    (line) => expect(line).not.toMatch(ownFormat),
  )
  test.each(["'/payouts/:id'", "'@/sandbox/x'", "'./sandbox/x'", "'/sandboxes'"])('no hand-written URL in %s', (line) =>
    expect(line).not.toMatch(handWrittenUrl),
  )
})

test('every server file starts with an import of server-only', () => {
  const serverSources = findSourcesIn('lib/server', 'lib/features').filter((path) => /^lib\/(?:features\/[^/]+\/)?server\//.test(path))
  expect(serverSources.filter((path) => !readText(path).startsWith("import 'server-only'\n"))).toEqual([])
})

test('there are no index files', () => {
  expect(files.filter((path) => /(^|\/)index\.\w+$/.test(path))).toEqual([])
})

test('URLs of our own pages and API come from lib/routes', () => {
  const checkedFiles = findSourcesIn('app', 'components', 'lib').filter((path) => path !== 'lib/routes.ts')
  expect(findMatchingLines(checkedFiles, handWrittenUrl).filter((line) => !/ (?:\*|\/[/*])/.test(line))).toEqual([])
})

test('links to our pages use the kit’s link, which does not prefetch', () => {
  const checkedFiles = findSourcesIn('app', 'components').filter((path) => path !== 'components/kits/layout/link.tsx')
  expect(findMatchingLines(checkedFiles, /from 'next\/link'/)).toEqual([])
})

test('links on a screen use its desk, so that they keep the account scope', () => {
  // Exceptions: links for another person, links that leave the account scope intentionally, URLs that are only compared, and links that
  // already contain the scope.
  const allowedFiles =
    /^components\/(?:connect\/connect|activity\/activity-view|kits\/list\/(?:filters\/filters|view)|kits\/record\/(?:choose-account|copy-record|record-failed)|shell\/navigation\/nav-list)\.tsx?:/
  const pathWithoutScope =
    /\b(?:record|target|list|new|edit|own|desk|connect|activity|deletions?|deleteCustomer|home|settings)Path\((?:desk\.)?environment\b/
  expect(
    findMatchingLines(findSourcesIn('components', 'lib/server', 'lib/features'), pathWithoutScope).filter(
      (line) => !allowedFiles.test(line),
    ),
  ).toEqual([])
})

test('files are only in the permitted folders', () => {
  const findStrayFiles = (room: string, allowed: RegExp) => files.filter((path) => path.startsWith(`${room}/`) && !allowed.test(path))
  expect(findStrayFiles('components', /^components\/(?:kits\/)?[a-z-]+\/(?:[a-z-]+\/){0,2}[^/]+$/)).toEqual([])
  expect(
    findStrayFiles(
      'lib',
      /^lib\/(?:(?:operations|domain|features|client|server)\/.+|(?:errors|ids|money|dates|formats|routes|pages|filter)(?:\.test)?\.ts)$/,
    ),
  ).toEqual([])
})

test('the environment is not read through another module', () => {
  expect(findMatchingLines(findSourcesIn('app', 'components', 'lib', 'sandbox'), /from '(?:node:)?process'/)).toEqual([])
})

test('formats of times and numbers come from lib/formats only', () => {
  const checkedFiles = findSourcesIn('app', 'components', 'lib', 'sandbox').filter((path) => path !== 'lib/formats.ts')
  expect(findMatchingLines(checkedFiles, ownFormat)).toEqual([])
})

/** Returns the text between the parentheses of each `Promise.all(…)` in a source. */
const findPromiseAlls = (source: string): string[] =>
  source
    .split('Promise.all(')
    .slice(1)
    .map((rest) => {
      let depth = 1
      const closingIndex = [...rest].findIndex((letter) => {
        depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
        return depth === 0
      })
      return rest.slice(0, closingIndex)
    })

test('a transaction runs one statement at a time', () => {
  expect(findPromiseAlls('await Promise.all([one(tx), (two)]) + tx')).toEqual(['[one(tx), (two)]'])
  const poolPromiseFiles = findSourcesIn('lib').filter((path) => findPromiseAlls(readText(path)).some((inner) => /\btx\b/.test(inner)))
  expect(poolPromiseFiles).toEqual([])
})

/**
 * Matches a failure that is logged without its error. Events about unreadable or malformed data are excepted, because their cause is always
 * the same.
 */
const failureWithoutCode =
  /(?:catch\(\(\) =>|on\('error', \(\) =>|catch \{)(?:\s|\/\/.*\n)*(?:if \([^)]*\) )?log\.\w+\(\{ event: '(?!\S*(?:unreadable|malformed)')/

test('a failure is logged with its error code', () => {
  for (const bad of [
    "work().catch(() =>\n log.warn({ event: 'a' }))",
    "} catch {\n // Why.\n log.error({ event: 'a' })",
    "on('error', () => log.warn({ event: 'a' }))",
  ])
    expect(bad).toMatch(failureWithoutCode)
  expect("} catch {\n log.warn({ event: 'note.unreadable' })").not.toMatch(failureWithoutCode)
  expect(findSourcesIn('lib', 'sandbox').filter((path) => failureWithoutCode.test(readText(path)))).toEqual([])
})

test('tests wait for conditions, never for a fixed time', () => {
  expect(
    findMatchingLines([...files.filter(isTest), ...findSourcesIn('e2e')], /\bsetTimeout\(|timers\/promises['"]/).filter(
      (line) => !line.startsWith('scripts/house.test.ts'),
    ),
  ).toEqual([])
})

test('no test sets a fault that applies to every request', () => {
  const checkedFiles = files.filter((path) => /^(?:e2e|tests)\//.test(path))
  expect(findMatchingLines(checkedFiles, /\bmatch: ['"`]\*/)).toEqual([])
})

/** The browser tests about other people's changes on an open page. */
const liveChangeSpecs = /^e2e\/(?:activity-unknown|approvals|charge-actions|live|live-instances|live-readings|paykey-review)\.spec\.ts:/

test('a browser test receives events only if it is about live changes', () => {
  const specs = files.filter((path) => path.startsWith('e2e/') && path !== 'e2e/fixtures.ts')
  const found = findMatchingLines(specs, /\bevents: 'live'|\beventsPath\b|desk\/events/)
  expect(found.filter((line) => !liveChangeSpecs.test(line))).toEqual([])
})

test('processes started by a browser test are stopped by a fixture', () => {
  const allowed = /^e2e\/(?:live-instances|not-sent)\.spec\.ts:/
  const found = findMatchingLines(
    files.filter((path) => path.startsWith('e2e/')),
    /await start(?:WholeDesk|Dashboard|Sandbox)\(/,
  )
  expect(found.filter((line) => !allowed.test(line))).toEqual([])
})

test('a browser test opens browsers through the fixture, which watches and closes them', () => {
  const allowed = /^e2e\/(?:fixtures|live-instances\.spec|odd\.spec)\.ts:/
  const found = findMatchingLines(
    files.filter((path) => path.startsWith('e2e/')),
    /\bbrowser\??\.newContext\(/,
  )
  expect(found.filter((line) => !allowed.test(line))).toEqual([])
})

test('a browser test signs in through the fixture with its own person', () => {
  // These test the sign-in itself, or sign in at a desk that the test started.
  const allowed =
    /^e2e\/(?:busy-sign-in|live-instances|look|many-accounts|own-[a-z-]+|payout-release|sign-in|sso|way-in)\.(?:spec\.)?ts:|^e2e\/(?:every-page|fixtures|person)\.ts:/
  const found = findMatchingLines(
    files.filter((path) => path.startsWith('e2e/')),
    /\bemailOf\(|\bdemoButton\(/,
  )
  expect(found.filter((line) => !allowed.test(line))).toEqual([])
})

test('there are no TODO notes and no banners', () => {
  const checkedFiles = files.filter((path) => path !== 'scripts/house.test.ts')
  expect(findMatchingLines(checkedFiles, /\b(?:TODO|FIXME|XXX|HACK)\b|^\s*\/\/\s*[-=─*#]{4,}/)).toEqual([])
})
