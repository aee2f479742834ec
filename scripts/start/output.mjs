import { stripVTControlCharacters } from 'node:util'

const people = [
  ['admin@paydesk.test', 'people, the approval policy, settings, and what the others do'],
  ['admin2@paydesk.test', 'the same: some changes need two'],
  ['operator@paydesk.test', 'release, hold, cancel, upload'],
  ['reviewer@paydesk.test', 'reviews and second decisions'],
  ['viewer@paydesk.test', 'reads only'],
]

const banner = /^\s*(▲|- (Local|Network|Environments)|✓ (Starting|Ready|Running)|Starting\.\.\.|$)/

/** Returns a server's line for the terminal, or undefined for noise. Log records stay unchanged, for log collectors. */
export function shownLine(name, line) {
  if (banner.test(stripVTControlCharacters(line))) return undefined
  return line.startsWith('{') ? line : `${name} │ ${line}`
}

/** Returns a line about how a server ended, then its last lines on stderr. */
export function obituary({ name, lastErrors }, [code, signal]) {
  const ending = signal ? `was killed by ${signal}` : `ended with ${code}`
  return [`the ${name} ${ending}; everything is stopped`, ...lastErrors.map((line) => `  ${line}`)].join('\n')
}

/** Returns the text that a person needs after the start, as a short block. Contains the demo people only if they exist. */
export function readyBlock({ origin, embedded, dataDir }, seconds) {
  const width = Math.max(...people.map(([person]) => person.length))
  const signIn = people.map(([person, rights], index) => `  ${index ? '        ' : 'sign in '} ${person.padEnd(width)}  ${rights}`)
  return [
    '',
    `  Paydesk  ${origin}    ready in ${seconds.toFixed(1)} s`,
    '',
    ...(embedded ? [...signIn, '  password paydesk-demo', ''] : []),
    `  data     ${dataDir}`,
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}
