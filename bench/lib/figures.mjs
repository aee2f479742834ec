/** Returns a quantile of the numbers. `part` is between 0 and 1. */
export function quantile(numbers, part) {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export const median = (numbers) => quantile(numbers, 0.5)

export function printTable(heading, rows) {
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => String(row[column] ?? '').length)))
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]))).join('  ')
  for (const row of [heading, ...rows]) console.info(`  ${line(row)}`)
}

/** Prints a goal, the measured value, and if the goal was met. `limit` is the maximum, or with `atLeast` the minimum. */
export function printGoal(what, value, limit, { unit = '', digits = 1, atLeast = false } = {}) {
  const met = atLeast ? value >= limit : value <= limit
  const missing = Math.abs(value - limit).toFixed(digits)
  const verdict = met ? 'met' : `MISSED by ${missing}${unit}`
  console.info(`  goal: ${what} ${atLeast ? 'at least' : 'at most'} ${limit}${unit}; measured ${value.toFixed(digits)}${unit}: ${verdict}`)
}
