import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { steps } from './steps.mjs'

/** The step that runs a test file, by a pattern of its path. Must match `include` in vitest.config.ts. */
const stepPatterns = [
  [/^e2e\/.*\.spec\.ts$/, 'browser'],
  [/^tests\/.*\.test\.ts$/, 'integration'],
  [/^(components\/.*\.test\.tsx?|lib\/client\/.*\.test\.tsx)$/, 'components'],
  [/^(lib|scripts|sandbox)\/.*\.test\.ts$/, 'unit'],
]

const folders = ['components', 'e2e', 'lib', 'sandbox', 'scripts', 'tests']

/** Returns all test files below `root`, as `{ file, step }`. */
export function listTestFiles(root) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
    .filter((file) => !file.includes('node_modules/'))
    .flatMap((file) => {
      const step = stepPatterns.find(([pattern]) => pattern.test(file))?.[1]
      return step ? [{ file, step }] : []
    })
    .sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** Returns the steps that a name selects, each with its selected files. An empty list means all files. */
function matchName(name, files, isFull) {
  if (steps[name]) return [{ step: name, files: [] }]
  const matchingFiles = files.filter(({ file }) => file.includes(name))
  const secondDialect = isFull
    ? matchingFiles.filter(({ step }) => step === 'browser').map(({ file }) => ({ file, step: 'browser-provider' }))
    : []
  return [...matchingFiles, ...secondDialect].map(({ file, step }) => ({ step, files: [file] }))
}

/** Returns the names that match no step and no path of a test file. */
export const findUnknownNames = (names, files) => names.filter((name) => matchName(name, files, false).length === 0)

function findNeededSteps(chosen, isFull) {
  // Some unit tests of the full run open a browser.
  const needs = [...chosen].flatMap((step) => [...(steps[step].needs ?? []), ...(isFull && step === 'unit' ? ['chromium'] : [])])
  return ['deps', ...needs]
}

/**
 * Returns the steps of a run as `Map(step => files)`, including the steps that they require. An empty list means all files of the step.
 * @param {string[]} names Steps, or parts of the paths of test files. An empty list selects everything.
 * @param {{ file: string, step: string }[]} files All test files.
 */
export function selectSteps(names, files, isFull) {
  const allSteps = Object.keys(steps).filter((step) => isFull || step !== 'browser-provider')
  if (names.length === 0) return new Map(allSteps.map((step) => [step, []]))
  const matches = names.flatMap((name) => matchName(name, files, isFull))
  const filesByStep = new Map(
    matches.map(({ step }) => {
      const stepMatches = matches.filter((match) => match.step === step)
      return [step, stepMatches.some((match) => match.files.length === 0) ? [] : [...new Set(stepMatches.flatMap((match) => match.files))]]
    }),
  )
  for (const step of findNeededSteps(filesByStep.keys(), isFull)) if (!filesByStep.has(step)) filesByStep.set(step, [])
  return filesByStep
}
