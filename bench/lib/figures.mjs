/** `fraction` is from 0 to 1: 0.5 is the median, 0.95 the value that 95 % do not exceed. */
export function findQuantile(numbers, fraction) {
  const sorted = Float64Array.from(numbers).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN
}

export const findMedian = (numbers) => findQuantile(numbers, 0.5)

export function printTable(heading, rows) {
  const columnWidths = heading.map((_, column) =>
    Math.max(...[heading, ...rows].map((row) => String(row[column] ?? '').length)),
  )
  const formatLine = (row) =>
    row
      .map((cell, column) =>
        column === 0
          ? String(cell).padEnd(columnWidths[0])
          : String(cell).padStart(columnWidths[column]),
      )
      .join('  ')
  for (const row of [heading, ...rows]) console.info(`  ${formatLine(row)}`)
}

/** `limit` is the maximum, or with `atLeast` the minimum. */
export function printGoal(goalName, value, limit, { unit = '', digits = 1, atLeast = false } = {}) {
  const isMet = atLeast ? value >= limit : value <= limit
  const missedBy = Math.abs(value - limit).toFixed(digits)
  const verdict = isMet ? 'met' : `MISSED by ${missedBy}${unit}`
  console.info(
    `  goal: ${goalName} ${atLeast ? 'at least' : 'at most'} ${limit}${unit}; measured ${value.toFixed(digits)}${unit}: ${verdict}`,
  )
}
