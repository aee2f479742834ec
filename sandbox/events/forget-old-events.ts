import type { Store } from '@/sandbox/store/store'

const week = 7 * 86_400_000
const keptAtMost = 20_000
const batch = 1_000

/**
 * Deletes up to 1,000 of the oldest events, with their deliveries: those older than a week or beyond the newest 20,000. Events with a
 * pending delivery stay. Returns true if more may remain.
 */
export function forgetOldEvents(store: Store, now: number): boolean {
  return store.transaction(() => {
    const old = store.all<{ seq: number }>(
      `SELECT e.seq FROM events e LEFT JOIN deliveries d ON d.seq = e.seq
       WHERE (e.at < ? OR e.seq <= (SELECT max(seq) FROM events) - ?) AND d.next_attempt_at IS NULL ORDER BY e.seq LIMIT ?`,
      ...[now - week, keptAtMost, batch],
    )
    const numbers = JSON.stringify(old.map(({ seq }) => seq))
    store.run('DELETE FROM delivery_attempts WHERE delivery IN (SELECT value FROM json_each(?))', numbers)
    for (const table of ['deliveries', 'events']) store.run(`DELETE FROM ${table} WHERE seq IN (SELECT value FROM json_each(?))`, numbers)
    return old.length === batch
  })
}
