import type { Store } from '@/sandbox/store/store'
import { keyConflict, keyInvalid } from './problem'
import type { WireAnswer } from './wire-answer'

/** Kept answers, scoped to the API key and nothing else: the account header is no part of the scope nor of the fingerprint. */
export const idempotencyTable = `
CREATE TABLE IF NOT EXISTS idempotency (
  api_key TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created_at INTEGER NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (api_key, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_created ON idempotency (created_at);
CREATE INDEX IF NOT EXISTS idempotency_object ON idempotency (body ->> '$.data.id');`

/** How long an answer is kept, on the movable clock: 24 hours. */
const retentionMs = 86_400_000

/** The key a write came with and the three things it is bound to; `path` is without the query, `bodySha256` over the raw bytes. */
export type Claim = { apiKey: string; key: string; method: string; path: string; bodySha256: string }

const fingerprintOf = (claim: Claim) => `${claim.method} ${claim.path} ${claim.bodySha256}`

type Row = { fingerprint: string; status: number; headers: string; body: string }

/**
 * The nine idempotency rules of the interface document. A request holds its claim in memory while it runs and leaves its answer in
 * the very transaction of its effect; so a process that dies in between leaves neither effect nor claim, and the same key starts afresh.
 */
export class IdempotencyStore {
  readonly #store: Store
  readonly #running = new Map<string, string>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Rule 6. Throws the 400 for a key that is not 10 to 40 characters long. */
  checkLength(key: string): void {
    if (key.length < 10 || key.length > 40) throw keyInvalid()
  }

  /**
   * Claims the key, or gives the answer kept for an identical request (rules 1 to 5). Throws the 409 for a key that is bound to another
   * request, or whose identical request still runs. Whoever gets undefined must call `release` when done.
   */
  claim(claim: Claim, now: number): WireAnswer | undefined {
    const fingerprint = fingerprintOf(claim)
    const slot = `${claim.apiKey} ${claim.key}`
    const running = this.#running.get(slot)
    if (running !== undefined) throw keyConflict(running === fingerprint ? 'in_progress' : 'different')
    const kept = this.#store.get<Row>(
      'SELECT fingerprint, status, headers, body FROM idempotency WHERE api_key = ? AND key = ? AND created_at > ?',
      ...[claim.apiKey, claim.key, now - retentionMs],
    )
    if (kept && kept.fingerprint !== fingerprint) throw keyConflict('different')
    if (kept) {
      const headers = { ...(JSON.parse(kept.headers) as Record<string, string>), 'idempotent-replayed': 'true' }
      return { status: kept.status, headers, body: kept.body }
    }
    this.#running.set(slot, fingerprint)
    return undefined
  }

  /** Keeps the answer. Must run inside the effect's transaction. */
  keep(claim: Claim, answer: WireAnswer, now: number): void {
    this.#store.run(
      'INSERT OR REPLACE INTO idempotency (api_key, key, fingerprint, created_at, status, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[claim.apiKey, claim.key, fingerprintOf(claim), now, answer.status, JSON.stringify(answer.headers), answer.body],
    )
  }

  /**
   * Changes the object in every kept answer that gave it: a permanent deletion reaches back. The keys stay bound to their requests. The caller names
   * the shape of `data`. Must run inside the change's transaction.
   */
  retell<Data extends object>(objectId: string, change: (data: Data) => object): void {
    const rows = this.#store.all<{ api_key: string; key: string; body: string }>(
      "SELECT api_key, key, body FROM idempotency WHERE body ->> '$.data.id' = ?",
      objectId,
    )
    for (const { api_key, key, body } of rows) {
      const answer = JSON.parse(body) as { data: Data }
      const changed = JSON.stringify({ ...answer, data: change(answer.data) })
      this.#store.run('UPDATE idempotency SET body = ? WHERE api_key = ? AND key = ?', changed, api_key, key)
    }
  }

  /** Ends the claim of a request that ran. */
  release(claim: Claim): void {
    this.#running.delete(`${claim.apiKey} ${claim.key}`)
  }

  /** Removes answers past their retention. */
  forgetOld(now: number): void {
    this.#store.run('DELETE FROM idempotency WHERE created_at <= ?', now - retentionMs)
  }
}
