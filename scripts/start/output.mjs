import { stripVTControlCharacters } from 'node:util'

const demoPeople = [
  ['admin@paydesk.test', 'people, the approval policy, settings, and what the others do'],
  ['admin2@paydesk.test', 'the same: some changes need two'],
  ['operator@paydesk.test', 'release, hold, cancel, upload'],
  ['reviewer@paydesk.test', 'reviews and second decisions'],
  ['viewer@paydesk.test', 'reads only'],
]

const nextBannerPattern =
  /^\s*(▲|- (Local|Network|Environments)|✓ (Starting|Ready|Running)|Starting\.\.\.|$)/

/**
 * Adds the server's name to a line of its output. Log records (JSON) get no such prefix, so that
 * log collectors can parse them.
 */
export function formatServerLine(name, line) {
  if (nextBannerPattern.test(stripVTControlCharacters(line))) return undefined
  return line.startsWith('{') ? line : `${name} │ ${line}`
}

export function toExitMessage({ name, lastErrors }, [code, signal]) {
  const exitDescription = signal ? `was killed by ${signal}` : `ended with ${code}`
  return [
    `the ${name} ${exitDescription}; everything is stopped`,
    ...lastErrors.map((line) => `  ${line}`),
  ].join('\n')
}

/**
 * Returns the text that is printed when Paydesk is ready. It lists the demo people if the embedded
 * sandbox is used.
 */
export function buildReadyMessage({ origin, embedded, dataDir }, seconds) {
  const emailWidth = Math.max(...demoPeople.map(([person]) => person.length))
  const signInLines = demoPeople.map(
    ([person, rights], index) =>
      `  ${index ? '        ' : 'sign in '} ${person.padEnd(emailWidth)}  ${rights}`,
  )
  return [
    '',
    `  Paydesk  ${origin}    ready in ${seconds.toFixed(1)} s`,
    '',
    ...(embedded ? [...signInLines, '  password paydesk-demo', ''] : []),
    `  data     ${dataDir}`,
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}
