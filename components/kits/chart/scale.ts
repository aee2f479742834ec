/** Formats a percentage for an attribute, with at most two decimals. */
export const formatPercent = (value: number): string => `${Math.round(value * 100) / 100}%`

const roundNumberFactors = [1, 1.5, 2, 3, 4, 5, 6, 8]

/** Returns the next round number, less than 50% larger than `value`; 0 for values up to 0. */
export function roundUpToScaleEnd(value: number): number {
  if (value <= 0) return 0
  const powerOfTen = 10 ** Math.floor(Math.log10(value))
  return (roundNumberFactors.find((step) => step * powerOfTen >= value) ?? 10) * powerOfTen
}

/** The largest of `upValues` rounded up, 0, and the largest of `downValues` rounded up and negated. */
export function listScaleValues(
  upValues: readonly number[],
  downValues: readonly number[],
): number[] {
  return [
    ...new Set([
      roundUpToScaleEnd(Math.max(0, ...upValues)),
      0,
      -roundUpToScaleEnd(Math.max(0, ...downValues)) || 0,
    ]),
  ]
}
