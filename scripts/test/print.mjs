import { runningSteps } from './run-step.mjs'

const formatNumber = (value) => value.toLocaleString('en-US')
/** Formats seconds with one decimal below ten: `4.1 s`, `151 s`. */
export const formatSeconds = (seconds) =>
  `${seconds < 10 ? seconds.toFixed(1) : formatNumber(Math.round(seconds))} s`

/** Returns `1,234 passed, 2 failed, 3 skipped`, or an empty string for a step without tests. */
function formatCounts({ passed, skipped, failures }) {
  if (passed === undefined) return ''
  const countTexts = [
    `${formatNumber(passed)} passed`,
    failures.length && `${failures.length} failed`,
    skipped && `${formatNumber(skipped)} skipped`,
  ]
  return countTexts.filter(Boolean).join(', ')
}

/** Returns a line such as `✓ integration 1,234 passed 151 s`. */
export const formatStepLine = (result) =>
  `${result.failures.length ? '✗' : '✓'} ${result.name.padEnd(17)} ${[formatCounts(result), formatSeconds(result.seconds)].filter(Boolean).join('  ')}`

export function formatSlowestFiles(results) {
  const filesSlowestFirst = results
    .flatMap(({ files: own = [] }) => own)
    .sort((one, other) => other.seconds - one.seconds)
  return filesSlowestFirst
    .slice(0, 10)
    .map(({ file, seconds }) => `${formatSeconds(seconds).padStart(8)}  ${file}`)
}

export function formatFailure({ file, line, name, lines }) {
  const location = [file, line].filter(Boolean).join(':')
  return [
    `✗ ${[location, name].filter(Boolean).join(' › ')}`,
    ...lines.map((text) => `    ${text}`),
  ]
}

const formatRunningSteps = () =>
  [...runningSteps].map(([name, { start, lastLine }]) =>
    `${name} ${formatSeconds(Math.round((Date.now() - start) / 1000))} ${lastLine}`.trim(),
  )

/**
 * Shows the running steps. On a terminal it updates one line. Elsewhere it prints one line per step
 * every 20 seconds.
 */
export function showProgress() {
  const { isTTY, columns = 120 } = process.stdout
  const clearLine = () => isTTY && process.stdout.write('\r\u001b[K')
  const drawProgress = () => {
    const lines = formatRunningSteps()
    if (!isTTY) for (const line of lines) console.info(`  … ${line.slice(0, 160)}`)
    else process.stdout.write(`\r\u001b[K  … ${lines.join(' | ').slice(0, columns - 6)}`)
  }
  const redrawTimer = setInterval(drawProgress, isTTY ? 1000 : 20_000)
  return {
    print: (line) => {
      clearLine()
      console.info(line)
    },
    stop: () => {
      clearInterval(redrawTimer)
      clearLine()
    },
  }
}
