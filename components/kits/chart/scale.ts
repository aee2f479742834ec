/** A share of a drawing as an attribute: two decimals are finer than any screen. */
export const percent = (value: number): string => `${Math.round(value * 100) / 100}%`

const steps = [1, 1.5, 2, 3, 4, 5, 6, 8]

/** The next round figure at or above a value, for the end of a scale: two digits at most and no more than a third above it; 0 for nothing. */
export function roundUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return (steps.find((step) => step * power >= value) ?? 10) * power
}

/** The round figures of a scale that holds amounts up and down from zero: top, zero, bottom (negative); equal ones once. */
export function marksOf(up: readonly number[], down: readonly number[]): number[] {
  return [...new Set([roundUp(Math.max(0, ...up)), 0, -roundUp(Math.max(0, ...down)) || 0])]
}
