import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

const toRootCommand = (path, ...args) => [join(projectRoot, path), ...args]
const toPackageCommand = (path, ...args) => toRootCommand(join('node_modules', path), ...args)
const createEnsureStep = (ensureTarget) => ({
  command: toRootCommand('scripts/ensure.mjs', ensureTarget),
})

/** Checked by dependency-cruiser with the rules of .dependency-cruiser.mjs. */
const checkedFolders = [
  ...['app', 'components', 'lib', 'sandbox', 'scripts', 'tests', 'e2e', 'bench', 'chaos'],
  ...['proxy.ts', 'instrumentation.ts', 'instrumentation-client.ts'],
]

const createVitestStep = (projects, ...flags) => ({
  hasTests: true,
  command: toPackageCommand(
    'vitest/vitest.mjs',
    'run',
    ...projects.map((project) => `--project=${project}`),
    ...flags,
  ),
  options: ({ seed }) => [
    `--sequence.seed=${seed}`,
    '--reporter=default',
    '--reporter=./scripts/test/vitest-reporter.mjs',
  ],
  toFilter: (file) => file,
})

const createPlaywrightStep = (name, dialect) => ({
  hasTests: true,
  command: toPackageCommand(
    '@playwright/test/cli.js',
    'test',
    `--project=${dialect}`,
    `--output=test-results/${name}`,
  ),
  options: ({ seed, files }) => [
    ...['--shuffle', String(seed), '--reporter=list,./scripts/test/playwright-reporter.mjs'],
    // Playwright's project `provider` runs only some of the files. Without this flag, it fails if
    // it has none of the selected files.
    ...(files.length > 0 && dialect === 'provider' ? ['--pass-with-no-tests'] : []),
  ],
  env: { BROWSER_DIALECT: dialect },
  // Playwright's filters are regular expressions.
  toFilter: (file) => file.replace(/[.[\]()]/g, '\\$&'),
})

/** Each step runs a Node program, after the steps in its `needs`. */
export const testSteps = {
  deps: createEnsureStep('deps'),
  build: createEnsureStep('build'),
  chromium: createEnsureStep('browser'),
  // The native compiler. The package `typescript` is the older compiler; other tools use it to read
  // our sources.
  types: { command: toPackageCommand('@typescript/native/bin/tsc', '--noEmit', '-p', '.') },
  lint: {
    command: toPackageCommand('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  },
  imports: {
    command: toPackageCommand('dependency-cruiser/bin/dependency-cruise.mjs', ...checkedFolders),
  },
  components: createVitestStep(['components']),
  unit: createVitestStep(['unit']),
  // Four workers, because these tests spend half of their time waiting for servers.
  integration: {
    ...createVitestStep(
      ['integration', 'integration-own-process', 'integration-provider'],
      '--maxWorkers=4',
    ),
    needs: ['build'],
  },
  browser: { ...createPlaywrightStep('browser', 'document'), needs: ['build', 'chromium'] },
  'browser-provider': {
    ...createPlaywrightStep('browser-provider', 'provider'),
    needs: ['build', 'chromium'],
  },
}

/**
 * A list of stages, which run in sequence. The lanes of a stage run in parallel, the steps of a
 * lane in sequence. `types` follows `build`, because it reads types that the build generates.
 */
export const stepSchedule = [
  [['deps']],
  [
    ['build', 'types', 'imports'],
    ['chromium', 'lint', 'components', 'unit'],
  ],
  [['integration']],
  [['browser']],
  [['browser-provider']],
]
