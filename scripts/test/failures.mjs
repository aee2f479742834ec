import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './steps.mjs'

/** Maximum characters per line of a failure, and maximum lines of its cause. The step's log has the complete text. */
const width = 240
const maxLines = 16

const toLines = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => (line.length > width ? `${line.slice(0, width)}…` : line))

const shortenLines = (lines, limit = maxLines) =>
  lines.length > limit ? [...lines.slice(0, limit), `… ${lines.length - limit} lines more in the log`] : lines

/** Returns the path of one of our files relative to the root, or null for a file outside the project or of a package. */
function toOwnPath(file) {
  if (!file || !isAbsolute(file)) return null
  const path = relative(root, file)
  return path.startsWith('..') || path.includes('node_modules') ? null : path
}

/** Returns the source line at a location as `[path:line  code]`, or an empty list if it cannot be read. */
function readCodeLine({ file, line } = {}) {
  const path = toOwnPath(file)
  if (!path) return []
  try {
    return [`${path}:${line}  ${readFileSync(join(root, path), 'utf8').split('\n')[line - 1].trim()}`]
  } catch {
    return []
  }
}

/** Returns the lines of Vitest's diff that differ: expected, then received. */
function toComparisonLines({ diff, expected, actual }) {
  if (!diff) return []
  const differingLines = toLines(diff).filter((line) => /^[-+]/.test(line) && !/^[-+] (Expected|Received)$/.test(line))
  const [one, other] = differingLines
  if (differingLines.length === 2 && one.startsWith('-') && other.startsWith('+'))
    return [`expected  ${one.slice(1).trim()}`, `received  ${other.slice(1).trim()}`]
  if (differingLines.length > 0) return ['- expected, + received:', ...shortenLines(differingLines)]
  return [`expected  ${toLines(expected)[0]}`, `received  ${toLines(actual)[0]}`]
}

/** Returns a failure of a Vitest test, suite or file: its file, line and name, and the lines of its cause. */
export function toVitestFailure({ file, name, error }) {
  const frames = (error.stacks ?? []).filter((frame) => toOwnPath(frame.file))
  return {
    file: toOwnPath(file) ?? file,
    line: frames.find((frame) => frame.file === file)?.line,
    name,
    lines: [...shortenLines(toLines(error.message), 8), ...toComparisonLines(error), ...readCodeLine(frames[0])],
  }
}

/**
 * Returns a failure of a Playwright test. Of the message, only the part before the call log is used; it has the expected and the received
 * value.
 */
export function toPlaywrightFailure({ file, line, name, error }) {
  const [message = ''] = (error.message ?? error.value ?? '').split(/\n\s*Call log:/)
  return { file: toOwnPath(file) ?? file, line, name, lines: [...shortenLines(toLines(message)), ...readCodeLine(error.location)] }
}
