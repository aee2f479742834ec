/** Minimum name scores: `close` for the same person, `partial` for names with something in common (provider's demo: score buckets). */
export const nameThresholds = { close: 0.8, partial: 0.2 } as const

function wordsOf(name: string): string {
  const normalizedName = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (normalizedName.match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(' ')
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

const countOf = (pairs: Map<string, number>): number => [...pairs.values()].reduce((sum, count) => sum + count, 0)

/**
 * Returns the similarity of two names, 0 to 1 with two decimals: the share of common letter pairs. Ignores word order, accents, case and
 * punctuation. Only names equal in that sense score 1. The sandbox's own formula; the provider's is not public.
 */
export function nameScore(one: string, other: string): number {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  if (left === right) return left === '' && one !== other ? 0 : 1
  const [ours, theirs] = [pairsOf(left), pairsOf(right)]
  let common = 0
  for (const [pair, count] of ours) common += Math.min(count, theirs.get(pair) ?? 0)
  const all = countOf(ours) + countOf(theirs)
  return all === 0 ? 0 : Math.min(0.99, Math.round((200 * common) / all) / 100)
}
