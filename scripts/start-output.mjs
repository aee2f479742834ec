import { stripVTControlCharacters } from 'node:util'

const people = [
  ['admin@paydesk.test', 'people, the approval policy, settings, and what the others do'],
  ['admin2@paydesk.test', 'the same: some changes need two'],
  ['operator@paydesk.test', 'release, hold, cancel, upload'],
  ['reviewer@paydesk.test', 'reviews and second decisions'],
  ['viewer@paydesk.test', 'reads only'],
]

const banner = /^\s*(▲|- (Local|Network|Environments)|✓ (Starting|Ready|Running)|Starting\.\.\.|$)/

/** A child's line as a person should see it, or undefined for noise. Log records are passed on whole, for whatever collects them. */
export function shownLine(name, line) {
  if (banner.test(stripVTControlCharacters(line))) return undefined
  return line.startsWith('{') ? line : `${name} │ ${line}`
}

/** What a person needs to begin, set as a short block. The demo people are named only where they exist. */
export function readyBlock({ origin, embedded, dataDir }, seconds) {
  const width = Math.max(...people.map(([person]) => person.length))
  const signIn = people.map(([person, does], index) => `  ${index ? '        ' : 'sign in '} ${person.padEnd(width)}  ${does}`)
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
