import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { testSteps } from './steps.mjs'

/**
 * The step that runs a test file, by the pattern of its path. The patterns must match `include` in
 * vitest.config.ts.
 */
const stepByFilePattern = [
  [/^e2e\/.*\.spec\.ts$/, 'browser'],
  [/^tests\/.*\.test\.ts$/, 'integration'],
  [/^(components\/.*\.test\.tsx?|lib\/client\/.*\.test\.tsx)$/, 'components'],
  [/^(lib|scripts|sandbox)\/.*\.test\.ts$/, 'unit'],
]

const testFolders = ['components', 'e2e', 'lib', 'sandbox', 'scripts', 'tests']

export function listTestFiles(root) {
  return testFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => !file.includes('node_modules/'))
    .flatMap((file) => {
      const step = stepByFilePattern.find(([pattern]) => pattern.test(file))?.[1]
      return step ? [{ file, step }] : []
    })
    .sort((one, other) => (one.file < other.file ? -1 : 1))
}

/**
 * Returns the steps, each with its files, that a name selects. An empty list of files means all
 * files of the step.
 */
function findStepsByName(name, files, isFullRun) {
  if (testSteps[name]) return [{ step: name, files: [] }]
  const matchingFiles = files.filter(({ file }) => file.includes(name))
  const secondDialectFiles = isFullRun
    ? matchingFiles
        .filter(({ step }) => step === 'browser')
        .map(({ file }) => ({ file, step: 'browser-provider' }))
    : []
  return [...matchingFiles, ...secondDialectFiles].map(({ file, step }) => ({
    step,
    files: [file],
  }))
}

export const findUnknownNames = (names, files) =>
  names.filter((name) => findStepsByName(name, files, false).length === 0)

function findNeededSteps(chosenSteps, isFullRun) {
  // Some unit tests of the full run open a browser.
  const neededSteps = [...chosenSteps].flatMap((step) => [
    ...(testSteps[step].needs ?? []),
    ...(isFullRun && step === 'unit' ? ['chromium'] : []),
  ])
  return ['deps', ...neededSteps]
}

/**
 * Returns the test files to run by step. The result includes the steps that the selected ones
 * require. An empty list of files means all files of the step.
 * @param {string[]} names Steps, or parts of paths. An empty list selects everything.
 * @param {{ file: string, step: string }[]} files All test files.
 */
export function selectSteps(names, files, isFullRun) {
  const allSteps = Object.keys(testSteps).filter((step) => isFullRun || step !== 'browser-provider')
  if (names.length === 0) return new Map(allSteps.map((step) => [step, []]))
  const nameMatches = names.flatMap((name) => findStepsByName(name, files, isFullRun))
  const filesByStep = new Map(
    nameMatches.map(({ step }) => {
      const stepMatches = nameMatches.filter((match) => match.step === step)
      return [
        step,
        stepMatches.some((match) => match.files.length === 0)
          ? []
          : [...new Set(stepMatches.flatMap((match) => match.files))],
      ]
    }),
  )
  for (const step of findNeededSteps(filesByStep.keys(), isFullRun))
    if (!filesByStep.has(step)) filesByStep.set(step, [])
  return filesByStep
}
