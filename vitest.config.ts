import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { TestOrder } from './scripts/test-order.mjs'

const projectRoot = fileURLToPath(new URL('.', import.meta.url))
const alias = { '@': projectRoot.replace(/\/$/, '') }

/**
 * Test files that run twice: against a sandbox with the dialect `document`, and with `provider`,
 * the payments provider’s older API contract. They test the schemas of operations and the action
 * log, on which money depends in both dialects.
 */
const bothDialectsFiles = [
  'account-of',
  'action-log',
  'charge-warnings',
  'contract',
  'credential-answers',
  'decided-by-another',
  'decision-warnings.full',
  'decisions',
  'direct-account',
  'fill.full',
  'hidden-objects',
  'kept-reasons',
  'kill',
  'limit-requests',
  'limit-safety.full',
  'marketplace',
  'open-actions',
  'other-accounts.full',
  'release-warnings',
  'unclear',
  'uploads',
  'forbidden-writes',
  'write-path',
].map((name) => `tests/${name}.test.ts`)

/**
 * True in `npm run test:full`, which runs all tests. `npm test` skips the slow files, and runs only
 * a sample of the cases in large test tables.
 */
const isFullRun = process.env.TEST_FULL === '1'

/**
 * Tests of the whole sandbox. Unlike other files in tests/, they need no build, so they belong to
 * the project `unit`.
 */
const sandboxTestGlob = 'tests/sandbox/**/*.test.ts'

/**
 * Files that take minutes, so `npm test` skips them. Faster test files repeat some of their cases.
 */
const slowTestGlobs = ['**/*.full.test.ts']

/**
 * Files that `npm test` repeats with the dialect `provider`. The full run repeats all of
 * `bothDialectsFiles`.
 */
const dialectSampleFiles = ['contract', 'write-path', 'forbidden-writes'].map(
  (name) => `tests/${name}.test.ts`,
)

/**
 * Files that call Paydesk’s server code in the test process, each with its own settings. The server
 * code reads its settings only once, so each of these files needs its own process.
 */
const ownProcessFiles = readdirSync('tests', { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.test.ts') && !name.startsWith('sandbox/'))
  .map((name) => `tests/${name}`)
  .filter((file) =>
    /@\/lib\/(?:server|features\/\w+\/server)|harness\/(?:own-store|mirror|query-plans)'|process\.env/.test(
      readFileSync(file, 'utf8'),
    ),
  )

const buildIntegrationProject = (
  name: string,
  dialect: 'document' | 'provider',
  include: string[],
  isolate = false,
) => ({
  resolve: { alias, conditions: ['react-server'] },
  ssr: { resolve: { conditions: ['react-server'] } },
  test: {
    name,
    environment: 'node',
    env: { TEST_DIALECT: dialect },
    include,
    exclude: [
      sandboxTestGlob,
      ...(isFullRun ? [] : slowTestGlobs),
      ...(isolate ? [] : ownProcessFiles),
    ],
    // If false, a worker loads the source files only once, and its test files share one Paydesk
    // server (tests/harness/shared-desk.ts).
    isolate,
    globalSetup: ['tests/harness/run-stores.ts'],
    // In the full run, one test can try thousands of cases.
    testTimeout: isFullRun ? 600_000 : 120_000,
    hookTimeout: 120_000,
  },
})

/**
 * The project `unit` needs only Node. The `integration` projects start real processes and need a
 * build.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    // Most tests wait for a process that they started. With only one worker, a machine with two
    // cores would be idle half of the time.
    maxWorkers: 2,
    sequence: { sequencer: TestOrder },
    // Values that tests read with `inject`; see tests/sandbox/sample.ts.
    provide: { isFull: isFullRun, seed: Number(process.env.TEST_SEED ?? 1) },
    projects: [
      {
        resolve: { alias, conditions: ['react-server'] },
        ssr: { resolve: { conditions: ['react-server'] } },
        test: {
          name: 'unit',
          environment: 'node',
          globalSetup: ['tests/sandbox/bundle-once.ts'],
          include: [
            'lib/**/*.test.ts',
            'scripts/**/*.test.ts',
            'sandbox/**/*.test.ts',
            sandboxTestGlob,
          ],
          exclude: isFullRun ? [] : slowTestGlobs,
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
          // Test files share the process, the document and React. Starting these for each file
          // would take four times as long as the tests.
          isolate: false,
          // The first test of a file may wait until its modules are loaded, which takes seconds on
          // a busy machine.
          testTimeout: 30_000,
        },
      },
      buildIntegrationProject('integration', 'document', ['tests/**/*.test.ts']),
      buildIntegrationProject('integration-own-process', 'document', ownProcessFiles, true),
      // The last argument is `isolate`. The full run includes files that need their own process.
      buildIntegrationProject(
        'integration-provider',
        'provider',
        isFullRun ? bothDialectsFiles : dialectSampleFiles,
        isFullRun,
      ),
    ],
  },
})
