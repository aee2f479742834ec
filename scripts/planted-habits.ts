import { importing, type Planted } from './planted'

const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join('\n')
const constants = (count: number) => `${lines(count, (n) => `export const kept${n} = ${n}`)}\n`
const statements = (count: number) => `export function kept(add: (n: number) => void) {\n${lines(count, (n) => `  add(${n})`)}\n}\n`
const branches = (count: number) =>
  `export function kept(n: number) {\n${lines(count, (n) => `  if (n === ${n}) return '${n}'`)}\n  return ''\n}\n`
const comments = lines(80, (n) => `// ${n}\n`)

/** The limits of size. */
export const limits: Planted[] = [
  {
    path: 'lib/server/long.ts',
    title: '200 lines',
    rule: 'style/noExcessiveLinesPerFile',
    bad: constants(201),
    good: `export const first = 0\n${comments}${constants(199)}`,
  },
  {
    path: 'lib/server/long.test.ts',
    title: '200 lines in tests',
    rule: 'style/noExcessiveLinesPerFile',
    bad: constants(201),
    good: constants(200),
  },
  {
    path: 'components/payouts/long.tsx',
    title: '60 lines a function',
    rule: 'complexity/noExcessiveLinesPerFunction',
    bad: statements(61),
    good: statements(56).replace('{\n', `{\n${comments}`),
  },
  {
    path: 'sandbox/branches.ts',
    title: 'complexity 10',
    rule: 'complexity/noExcessiveCognitiveComplexity',
    bad: branches(11),
    good: branches(10),
  },
]

/** What may not be written. */
export const house: Planted[] = [
  {
    path: 'lib/client/any.ts',
    title: 'no any',
    rule: 'suspicious/noExplicitAny',
    bad: 'export const kept = (n: any) => n\n',
    good: 'export const kept = (n: unknown) => n\n',
  },
  {
    path: 'lib/client/bang.ts',
    title: 'no !',
    rule: 'style/noNonNullAssertion',
    bad: 'export const kept = (n?: string) => n!.at(0)\n',
    good: 'export const kept = (n?: string) => n?.at(0)\n',
  },
  {
    path: 'lib/client/kind.ts',
    title: 'no enum',
    rule: 'style/noEnum',
    bad: 'export enum Kept {\n  One = 1,\n}\n',
    good: "export type Kept = 'one'\n",
  },
  {
    path: 'lib/client/star.ts',
    title: 'no export *',
    rule: 'performance/noReExportAll',
    bad: "export * from './any'\n",
    good: 'export const kept = 1\n',
  },
  {
    path: 'lib/client/barrel.ts',
    title: 'no barrel',
    rule: 'performance/noBarrelFile',
    bad: "export { kept } from './any'\n",
    good: 'export const kept = 1\n',
  },
  {
    path: 'lib/client/by-default.ts',
    title: 'no default export',
    rule: 'style/noDefaultExport',
    bad: 'export default 1\n',
    good: 'export const kept = 1\n',
  },
  {
    path: 'lib/server/clock.ts',
    title: 'no process.env',
    rule: 'style/noProcessEnv',
    bad: 'export const kept = process.env.PORT\n',
    good: 'export const kept = process.pid\n',
  },
  {
    path: 'lib/server/floating.ts',
    title: 'no floating promise',
    rule: 'nursery/noFloatingPromises',
    bad: floating(''),
    good: floating('await '),
  },
  {
    path: 'lib/server/calls.ts',
    title: 'no fetch',
    rule: 'style/noRestrictedGlobals',
    bad: "export const kept = () => fetch('/x')\n",
    good: 'export const kept = () => null\n',
  },
  {
    path: 'components/payouts/calls.ts',
    title: 'no fetch',
    rule: 'style/noRestrictedGlobals',
    bad: "export const kept = () => fetch('/x')\n",
    good: 'export const kept = () => null\n',
  },
  {
    path: 'components/payouts/files.ts',
    title: 'no node modules',
    rule: 'correctness/noNodejsModules',
    bad: importing('node:fs'),
    good: importing('zod'),
  },
  {
    path: 'lib/client/MixedCase.ts',
    title: 'kebab-case names',
    rule: 'style/useFilenamingConvention',
    bad: 'export const kept = 1\n',
    good: 'export const kept = 1\n',
    goodPath: 'lib/client/mixed-case.ts',
  },
  ...['lib/server/a.ts', 'app/a.ts', 'components/payouts/a.ts'].map((path) => ({
    path,
    title: 'no console',
    rule: 'suspicious/noConsole',
    bad: "console.info('x')\n",
    good: 'export const kept = 1\n',
  })),
  {
    path: 'lib/server/skipped.test.ts',
    title: 'no skipped test',
    rule: 'suspicious/noSkippedTests',
    bad: tested('test.skip'),
    good: tested('test'),
  },
  {
    path: 'tests/only.test.ts',
    title: 'no focused test',
    rule: 'suspicious/noFocusedTests',
    bad: tested('test.only'),
    good: tested('test'),
  },
  {
    path: 'e2e/sleeps.spec.ts',
    title: 'no sleeps',
    rule: 'nursery/noPlaywrightWaitForTimeout',
    bad: browsed('await page.waitForTimeout(5)'),
    good: browsed("await page.goto('/')"),
  },
  {
    path: 'e2e/context.spec.ts',
    title: 'no context.route',
    rule: 'nursery/noJsRestrictedProperties',
    bad: browsed("await page.context().route('/x', () => undefined)"),
    good: browsed("await page.goto('/')"),
  },
  {
    path: 'e2e/routes.spec.ts',
    title: 'no page.route',
    rule: 'nursery/noJsRestrictedProperties',
    bad: browsed("await page.route('/x', () => undefined)"),
    good: browsed("await page.goto('/')"),
  },
]

function floating(how: string) {
  return `async function work() {\n  return 1\n}\n\nexport async function kept() {\n  ${how}work()\n}\n`
}

function tested(how: string) {
  return `import { expect, test } from 'vitest'\n\n${how}('adds', () => {\n  expect(1 + 1).toBe(2)\n})\n`
}

function browsed(line: string) {
  return `import { expect, test } from '@playwright/test'\n\ntest('opens', async ({ page }) => {\n  ${line}\n  expect(page).toBeTruthy()\n})\n`
}
