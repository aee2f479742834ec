import 'server-only'
import type { Desk } from '@/lib/operations/desk'

/** How long something that takes many reads is believed (milliseconds). The page says its age. */
const believedFor = 60_000
const keptAtMost = 200

type Kept = { at: number; value: Promise<unknown> }
const kept = new Map<string, Kept>()

/** Two people see the same only in the same scope: what a limited person may see is part of the name. */
function scopeName(desk: Desk): string {
  const scope = desk.account ?? (desk.needsAccount ? `own ${desk.accounts.map(({ id }) => id).join(' ')}` : 'platform')
  return `${desk.environment} ${scope}`
}

/**
 * Reads something once a minute for each scope of a checked desk; those who ask meanwhile share the reading. What failed is not kept, so that
 * trying again tries again.
 */
export function remembered<T extends { ok: boolean }>(name: string, desk: Desk, read: () => Promise<T>): Promise<T> {
  const key = `${name} ${scopeName(desk)}`
  const known = kept.get(key)
  if (known && performance.now() - known.at < believedFor) return known.value as Promise<T>
  const value = read()
  const forget = () => kept.get(key)?.value === value && kept.delete(key)
  value.then((result) => result.ok || forget(), forget)
  kept.delete(key)
  kept.set(key, { at: performance.now(), value })
  const oldest = kept.size > keptAtMost ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return value
}
