import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { TestOrder } from './scripts/test-order.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const alias = { '@': root.replace(/\/$/, '') }

/**
 * What the dashboard promises of money whatever the service's dialect: that operations and shapes agree, and everything about the action log. They
 * run a second time against a sandbox that speaks as the provider's older contract has it.
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

/** `npm run test:full` runs all there is; `npm test` leaves out what takes minutes and draws a sample of what is exhaustive. */
const isFull = process.env.TEST_FULL === '1'

/** What only the full run takes: files that are minutes long, whose guarantee is held for some cases by a file of the short run. */
const exhaustive = ['**/*.full.test.ts']

/** What the short run takes once more in the other dialect. */
const dialectSample = ['contract', 'write-path'].map((name) => `tests/${name}.test.ts`)

/** Files that run the dashboard's own code with settings of their own, which it reads once; each needs a process of its own. */
const ownProcess = readdirSync('tests', { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
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
    exclude: [...(isFull ? [] : exhaustive), ...(isolate ? [] : ownProcess)],
    // A worker reads the sources once, and its files share a dashboard (tests/harness/shared-desk.ts).
    isolate,
    globalSetup: ['tests/harness/run-stores.ts'],
    // The full run tries thousands of cases in one test.
    testTimeout: isFull ? 600_000 : 120_000,
    hookTimeout: 120_000,
  },
})

/** `unit` needs nothing but Node; `integration` starts real processes and takes the build for granted. */
export default defineConfig({
  resolve: { alias },
  test: {
    // Most tests wait for the process they started; one worker on two cores would leave the machine half idle.
    maxWorkers: 2,
    sequence: { sequencer: TestOrder },
    // What tests ask for by `inject`; see sandbox/testing/sample.ts.
    provide: { isFull, seed: Number(process.env.TEST_SEED ?? 1) },
    projects: [
      {
        resolve: { alias, conditions: ['react-server'] },
        ssr: { resolve: { conditions: ['react-server'] } },
        test: {
          name: 'unit',
          environment: 'node',
          globalSetup: ['sandbox/testing/bundle-once.ts'],
          include: ['lib/**/*.test.ts', 'scripts/**/*.test.ts', 'sandbox/**/*.test.ts'],
          exclude: isFull ? [] : exhaustive,
          // A worker reads the sources once, not once for each file.
          isolate: false,
          // Many start a process or a database, which takes seconds on a busy machine.
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
          // Not a process, a document and React anew for each file: to begin them takes four times what the tests take.
          isolate: false,
        },
      },
      integration('integration', 'document', ['tests/**/*.test.ts']),
      integration('integration-own-process', 'document', ownProcess, true),
      // Some of those of the full run are `ownProcess`.
      integration('integration-provider', 'provider', isFull ? inBothDialects : dialectSample, isFull),
    ],
  },
})
