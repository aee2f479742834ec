import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const decisionsFolder = 'docs/decisions'
const decisionFiles = readdirSync(decisionsFolder)
  .filter((name) => /^\d{3}-/.test(name))
  .sort()

/**
 * Returns the line that the index must have for a decision: number, title with a link, and status.
 */
function toIndexLine(file: string): string {
  const [head = '', , statusLine = ''] = readFileSync(`${decisionsFolder}/${file}`, 'utf8').split(
    '\n',
  )
  const [, number, title] = /^# (\d{3}) (.+)$/.exec(head) ?? []
  const [, status] = /^Status: (.+)$/.exec(statusLine) ?? []
  return `| ${number} | [${title}](${file}) | ${status} |`
}

test('the index lists each decision with its title and status', () => {
  const indexLines = readFileSync(`${decisionsFolder}/README.md`, 'utf8').split('\n')
  expect(indexLines.filter((line) => /^\| (?:\d{3}|undefined)/.test(line))).toEqual(
    decisionFiles.map(toIndexLine),
  )
})
