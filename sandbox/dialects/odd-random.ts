import { Random } from '@/sandbox/store/random'

/** Returns a separate generator for each place (FNV-1a over its parts), so that values of different places are independent. */
export function randomAt(seed: number, ...place: readonly string[]): Random {
  let hash = 0x811c9dc5
  for (const segment of [String(seed), ...place]) {
    for (let at = 0; at < segment.length; at += 1) hash = Math.imul(hash ^ segment.charCodeAt(at), 0x01000193)
    hash = Math.imul(hash ^ 0xff, 0x01000193)
  }
  return new Random(hash)
}
