import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { TestOrder } from './scripts/test-order.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const alias = { '@': root.replace(/\/$/, '') }

/**
 * Tests of what must hold for money in any dialect of the service: operations match their schemas, and everything about the action log.
 * They run a second time against a sandbox with the dialect `provider`, the provider's older contract.
 */
const inBothDialects = [
  'account-of',
  'action-log',
  'contract',
  'credential-answers',
  'decided-by-another',
  'decision-warnings.full',
  'decisions',
  'fill.full',
  'hidden-objects',
  'kept-reasons',
  'kill',
  'limit-requests',
  'limit-safety.full',
  'other-accounts.full',
  'release-warnings',
  'unclear',
  'uploads',
  'write-path',
].map((name) => `tests/${name}.test.ts`)

/** `npm run test:full` runs all tests; `npm test` excludes slow files and runs only a sample of the exhaustive tests. */
const isFull = process.env.TEST_FULL === '1'

/** Tests of the whole sandbox. They need no build. */
const ofSandbox = 'tests/sandbox/**/*.test.ts'

/** Files that run only in the full run, because they take minutes. Another file tests some of their cases in the short run. */
const exhaustive = ['**/*.full.test.ts']

/** Files that the short run repeats with the dialect `provider`. */
const dialectSample = ['contract', 'write-path'].map((name) => `tests/${name}.test.ts`)

/** Files that run Paydesk's own server code with other settings. The code reads its settings once, so each file needs its own process. */
const ownProcess = readdirSync('tests', { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('sandbox/'))
  .map((name) => `tests/${name}`)
  .filter((file) =>
    /@\/lib\/(?:server|features\/\w+\/server)|harness\/(?:own-store|mirror|plans)'|process\.env/.test(readFileSync(file, 'utf8')),
  )

const integration = (name: string, dialect: 'document' | 'provider', include: string[], isolate = false) => ({
  resolve: { alias, conditions: ['react-server'] },
  ssr: { resolve: { conditions: ['react-server'] } },
  test: {
    name,
    environment: 'node',
    env: { TEST_DIALECT: dialect },
    include,
    exclude: [ofSandbox, ...(isFull ? [] : exhaustive), ...(isolate ? [] : ownProcess)],
    // A worker loads the source files once, and its test files share one Paydesk server (tests/harness/shared-desk.ts).
    isolate,
    globalSetup: ['tests/harness/run-stores.ts'],
    // In the full run, one test can try thousands of cases.
    testTimeout: isFull ? 600_000 : 120_000,
    hookTimeout: 120_000,
  },
})

/** `unit` needs only Node. `integration` starts real processes and needs a build. */
export default defineConfig({
  resolve: { alias },
  test: {
    // Most tests wait for a process that they started. With one worker, a machine with two cores would be idle half of the time.
    maxWorkers: 2,
    sequence: { sequencer: TestOrder },
    // Values that tests read with `inject`; see tests/sandbox/sample.ts.
    provide: { isFull, seed: Number(process.env.TEST_SEED ?? 1) },
    projects: [
      {
        resolve: { alias, conditions: ['react-server'] },
        ssr: { resolve: { conditions: ['react-server'] } },
        test: {
          name: 'unit',
          environment: 'node',
          globalSetup: ['tests/sandbox/bundle-once.ts'],
          include: ['lib/**/*.test.ts', 'scripts/**/*.test.ts', 'sandbox/**/*.test.ts', ofSandbox],
          exclude: isFull ? [] : exhaustive,
          // A worker loads the source files once, and not once per test file.
          isolate: false,
          // Many tests start a process or a database, which takes seconds on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'components',
          environment: 'happy-dom',
          include: ['components/**/*.test.{ts,tsx}', 'lib/client/**/*.test.tsx'],
          // Test files share the process, the document and React, because starting them takes four times as long as the tests.
          isolate: false,
          // The first test of a file may wait until its modules are loaded, which takes seconds on a busy machine.
          testTimeout: 30_000,
        },
      },
      integration('integration', 'document', ['tests/**/*.test.ts']),
      integration('integration-own-process', 'document', ownProcess, true),
      // True for the full run, because it includes files of `ownProcess`, which need their own process.
      integration('integration-provider', 'provider', isFull ? inBothDialects : dialectSample, isFull),
    ],
  },
})
