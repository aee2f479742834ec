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
const sourceFiles = listFilesUnder('').filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const isTestFile = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
const findSourcesIn = (...rooms: string[]) =>
  sourceFiles.filter(
    (path) => rooms.some((room) => path.startsWith(`${room}/`)) && !isTestFile(path),
  )

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
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
  )

/**
 * Matches a hard-coded URL of a page or of our own API. proxy.ts is not checked: Next requires
 * static strings in its matchers.
 */
const handWrittenUrlPattern =
  /['"`]\/(?:api|sign-in|sandbox|production)(?=[/'"`?])|['"`]\/\$\{\w*environment/i

/**
 * Matches a formatter created outside of lib/formats.ts. A top-level constant is accepted, because
 * modules of the sandbox cannot import lib.
 */
const inlineFormatterPattern =
  /(?<!^const \w+ = new )\bIntl\.\w+\(|\.toLocale(?:Date|Time)String\(|\.toLocaleString\([^()]*,/

describe('the detectors find', () => {
  test.each([
    "href='/sandbox/payouts'",
    '`/api/\u0024{x}`',
    "'/api'",
    '`/\u0024{environment}/payouts`',
    '`/production?x`',
  ])('a hand-written URL in %s', (line) => expect(line).toMatch(handWrittenUrlPattern))
  test.each([
    '  const a = new Intl.NumberFormat()',
    'Intl.DateTimeFormat()',
    "a.toLocaleDateString('en')",
    "n.toLocaleString('en', {",
  ])('a second formatter in %s', (line) => expect(line).toMatch(inlineFormatterPattern))
  test.each([
    'const a = new Intl.Collator()',
    "n.toLocaleString('en-US')",
    'type A = Intl.DateTimeFormatOptions',
  ])('no second formatter in %s', (line) => expect(line).not.toMatch(inlineFormatterPattern))
  test.each(["'/payouts/:id'", "'@/sandbox/x'", "'./sandbox/x'", "'/sandboxes'"])(
    'no hand-written URL in %s',
    (line) => expect(line).not.toMatch(handWrittenUrlPattern),
  )
})

test('no source file has more than 300 lines', () => {
  const longFiles = sourceFiles.filter(
    (path) =>
      !path.startsWith('bench/rivals/') && readText(path).trimEnd().split('\n').length > 300,
  )
  expect(longFiles).toEqual([])
})

test('each position in the cards of a table has one column', () => {
  const columnLists = findSourcesIn('components').flatMap((path) =>
    readText(path)
      .split(/: readonly (?:List)?Column</)
      .slice(1)
      .map((text) => ({ path, text })),
  )
  expect(columnLists.length).toBeGreaterThan(10)
  const overlappingLists = columnLists.filter(({ text }) =>
    ['title', 'figure', 'line', 'note'].some(
      (position) => text.split(`narrow: '${position}'`).length > 2,
    ),
  )
  expect(overlappingLists.map(({ path }) => path)).toEqual([])
})

test('every server file starts with an import of server-only', () => {
  const serverFilePaths = findSourcesIn('lib/server', 'lib/features').filter((path) =>
    /^lib\/(?:features\/[^/]+\/)?server\//.test(path),
  )
  expect(
    serverFilePaths.filter((path) => !readText(path).startsWith("import 'server-only'\n")),
  ).toEqual([])
})

test('there are no index files', () => {
  expect(sourceFiles.filter((path) => /(^|\/)index\.\w+$/.test(path))).toEqual([])
})

test('URLs of our own pages and API come from lib/routes', () => {
  const checkedFiles = findSourcesIn('app', 'components', 'lib').filter(
    (path) => path !== 'lib/routes.ts',
  )
  expect(
    findMatchingLines(checkedFiles, handWrittenUrlPattern).filter(
      (line) => !/ (?:\*|\/[/*])/.test(line),
    ),
  ).toEqual([])
})

test('links to our pages use the kit’s link, which does not prefetch', () => {
  const checkedFiles = findSourcesIn('app', 'components').filter(
    (path) => path !== 'components/kits/layout/link.tsx',
  )
  expect(findMatchingLines(checkedFiles, /from 'next\/link'/)).toEqual([])
})

test('links on a screen use its desk, so that they keep the account scope', () => {
  // Files whose links may lack the account scope: links for another person, links that leave the
  // scope intentionally, URLs that are only compared, and links that already contain the scope.
  const scopelessLinkFilesPattern =
    /^components\/(?:connect\/connect|activity\/activity-view|kits\/list\/(?:filters\/filters|view)|kits\/record\/(?:choose-account|copy-record|record-failed)|shell\/navigation\/nav-list)\.tsx?:/
  const pathWithoutScopePattern =
    /\b(?:record|target|list|new|edit|own|desk|connect|activity|deletions?|buildCustomerDeletion|home|settings)Path\((?:desk\.)?environment\b/
  expect(
    findMatchingLines(
      findSourcesIn('components', 'lib/server', 'lib/features'),
      pathWithoutScopePattern,
    ).filter((line) => !scopelessLinkFilesPattern.test(line)),
  ).toEqual([])
})

test('files are only in the permitted folders', () => {
  const findStrayFiles = (topFolder: string, allowedPattern: RegExp) =>
    sourceFiles.filter((path) => path.startsWith(`${topFolder}/`) && !allowedPattern.test(path))
  expect(
    findStrayFiles('components', /^components\/(?:kits\/)?[a-z-]+\/(?:[a-z-]+\/){0,2}[^/]+$/),
  ).toEqual([])
  expect(
    findStrayFiles(
      'lib',
      /^lib\/(?:(?:operations|domain|features|client|server)\/.+|(?:errors|ids|money|dates|formats|routes|pages|filter)(?:\.test)?\.ts)$/,
    ),
  ).toEqual([])
})

test('the environment is not read through another module', () => {
  expect(
    findMatchingLines(
      findSourcesIn('app', 'components', 'lib', 'sandbox'),
      /from '(?:node:)?process'/,
    ),
  ).toEqual([])
})

test('formats of times and numbers come from lib/formats only', () => {
  const checkedFiles = findSourcesIn('app', 'components', 'lib', 'sandbox').filter(
    (path) => path !== 'lib/formats.ts',
  )
  expect(findMatchingLines(checkedFiles, inlineFormatterPattern)).toEqual([])
})

/** Returns the text between the parentheses of each `Promise.all(…)` in a source. */
const findPromiseAllArguments = (source: string): string[] =>
  source
    .split('Promise.all(')
    .slice(1)
    .map((rest) => {
      let parenthesisDepth = 1
      const closingIndex = [...rest].findIndex((letter) => {
        parenthesisDepth += letter === '(' ? 1 : letter === ')' ? -1 : 0
        return parenthesisDepth === 0
      })
      return rest.slice(0, closingIndex)
    })

test('a transaction runs one statement at a time', () => {
  expect(findPromiseAllArguments('await Promise.all([one(tx), (two)]) + tx')).toEqual([
    '[one(tx), (two)]',
  ])
  const parallelTransactionFiles = findSourcesIn('lib').filter((path) =>
    findPromiseAllArguments(readText(path)).some((inner) => /\btx\b/.test(inner)),
  )
  expect(parallelTransactionFiles).toEqual([])
})

/**
 * Matches a failure that is logged without the code of its error. Events about unreadable or
 * malformed data are excepted: their name already contains the cause.
 */
const failureWithoutCodePattern =
  /(?:catch\(\(\) =>|on\('error', \(\) =>|catch \{)(?:\s|\/\/.*\n)*(?:if \([^)]*\) )?log\.\w+\(\{ event: '(?!\S*(?:unreadable|malformed)')/

test('a failure is logged with its error code', () => {
  for (const bad of [
    "work().catch(() =>\n log.warn({ event: 'a' }))",
    "} catch {\n // Why.\n log.error({ event: 'a' })",
    "on('error', () => log.warn({ event: 'a' }))",
  ])
    expect(bad).toMatch(failureWithoutCodePattern)
  expect("} catch {\n log.warn({ event: 'note.unreadable' })").not.toMatch(
    failureWithoutCodePattern,
  )
  expect(
    findSourcesIn('lib', 'sandbox').filter((path) =>
      failureWithoutCodePattern.test(readText(path)),
    ),
  ).toEqual([])
})

test('tests wait for conditions, never for a fixed time', () => {
  expect(
    findMatchingLines(
      [...sourceFiles.filter(isTestFile), ...findSourcesIn('e2e')],
      /\bsetTimeout\(|timers\/promises['"]/,
    ).filter((line) => !line.startsWith('scripts/house.test.ts')),
  ).toEqual([])
})

test('no test sets a fault that applies to every request', () => {
  const checkedFiles = sourceFiles.filter((path) => /^(?:e2e|tests)\//.test(path))
  expect(findMatchingLines(checkedFiles, /\bmatch: ['"`]\*/)).toEqual([])
})

/**
 * The browser tests about changes by other people that appear on an open page, and their helpers.
 */
const liveChangeSpecPattern =
  /^e2e\/(?:activity-unknown|approvals|charge-actions|live|live-instances|live-lists|live-readings|live-records|paykey-review)\.(?:spec\.)?ts:/

test('a browser test receives events only if it is about live changes', () => {
  const browserTestFiles = sourceFiles.filter(
    (path) => path.startsWith('e2e/') && path !== 'e2e/fixtures.ts',
  )
  const liveEventLines = findMatchingLines(
    browserTestFiles,
    /\bevents: 'live'|\beventsPath\b|desk\/events/,
  )
  expect(liveEventLines.filter((line) => !liveChangeSpecPattern.test(line))).toEqual([])
})

test('processes started by a browser test are stopped by a fixture', () => {
  const allowedProcessStartPattern = /^e2e\/(?:live-instances|not-sent)\.spec\.ts:/
  const processStartLines = findMatchingLines(
    sourceFiles.filter((path) => path.startsWith('e2e/')),
    /await start(?:WholeDesk|Dashboard|Sandbox)\(/,
  )
  expect(processStartLines.filter((line) => !allowedProcessStartPattern.test(line))).toEqual([])
})

test('a browser test opens browsers through the fixture, which watches and closes them', () => {
  const allowedBrowserPattern = /^e2e\/(?:fixtures|live-instances\.spec|odd\.spec)\.ts:/
  const newContextLines = findMatchingLines(
    sourceFiles.filter((path) => path.startsWith('e2e/')),
    /\bbrowser\??\.newContext\(/,
  )
  expect(newContextLines.filter((line) => !allowedBrowserPattern.test(line))).toEqual([])
})

test('a browser test signs in through the fixture with its own person', () => {
  // These files test the sign-in itself, or sign in to a dashboard that the test started.
  const allowedSignInPattern =
    /^e2e\/(?:busy-sign-in|live-instances|look|many-accounts|own-[a-z-]+|payout-release|sign-in|sso|way-in)\.(?:spec\.)?ts:|^e2e\/(?:every-page|fixtures|person)\.ts:/
  const signInLines = findMatchingLines(
    sourceFiles.filter((path) => path.startsWith('e2e/')),
    /\bemailOf\(|\bdemoButton\(/,
  )
  expect(signInLines.filter((line) => !allowedSignInPattern.test(line))).toEqual([])
})

test('there are no TODO notes and no banners', () => {
  const checkedFiles = sourceFiles.filter((path) => path !== 'scripts/house.test.ts')
  expect(
    findMatchingLines(checkedFiles, /\b(?:TODO|FIXME|XXX|HACK)\b|^\s*\/\/\s*[-=─*#]{4,}/),
  ).toEqual([])
})
