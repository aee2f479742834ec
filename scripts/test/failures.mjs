import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { projectRoot } from './steps.mjs'

/** Limits of a printed failure. The step's log has the complete text. */
const maxLineLength = 240
const maxLines = 16

const toLines = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))

const shortenLines = (lines, limit = maxLines) =>
  lines.length > limit
    ? [...lines.slice(0, limit), `… ${lines.length - limit} lines more in the log`]
    : lines

/**
 * Returns the path relative to the project; null for a file of a package or outside the project.
 */
function toProjectPath(file) {
  if (!file || !isAbsolute(file)) return null
  const path = relative(projectRoot, file)
  return path.startsWith('..') || path.includes('node_modules') ? null : path
}

/** Returns `[path:line code]`, or an empty list if the line cannot be read. */
function readCodeLine({ file, line } = {}) {
  const path = toProjectPath(file)
  if (!path) return []
  try {
    return [
      `${path}:${line}  ${readFileSync(join(projectRoot, path), 'utf8').split('\n')[line - 1].trim()}`,
    ]
  } catch {
    return []
  }
}

/** Returns the lines of Vitest's diff that differ: expected, then received. */
function toComparisonLines({ diff, expected, actual }) {
  if (!diff) return []
  const differingLines = toLines(diff).filter(
    (line) => /^[-+]/.test(line) && !/^[-+] (Expected|Received)$/.test(line),
  )
  const [one, other] = differingLines
  if (differingLines.length === 2 && one.startsWith('-') && other.startsWith('+'))
    return [`expected  ${one.slice(1).trim()}`, `received  ${other.slice(1).trim()}`]
  if (differingLines.length > 0) return ['- expected, + received:', ...shortenLines(differingLines)]
  return [`expected  ${toLines(expected)[0]}`, `received  ${toLines(actual)[0]}`]
}

export function toVitestFailure({ file, name, error }) {
  const projectFrames = (error.stacks ?? []).filter((frame) => toProjectPath(frame.file))
  return {
    file: toProjectPath(file) ?? file,
    line: projectFrames.find((frame) => frame.file === file)?.line,
    name,
    lines: [
      ...shortenLines(toLines(error.message), 8),
      ...toComparisonLines(error),
      ...readCodeLine(projectFrames[0]),
    ],
  }
}

/**
 * Describes a failed browser test. Leaves out the call log, because the message before it has the
 * expected and received value.
 */
export function toPlaywrightFailure({ file, line, name, error }) {
  const [message = ''] = (error.message ?? error.value ?? '').split(/\n\s*Call log:/)
  return {
    file: toProjectPath(file) ?? file,
    line,
    name,
    lines: [...shortenLines(toLines(message)), ...readCodeLine(error.location)],
  }
}
