import type { IncomingMessage } from 'node:http'
import type { Store } from '@/sandbox/store/store'
import { keyConflict, keyInvalid } from './problem'
import type { WireAnswer } from './send-answer'

/** Stored responses, scoped to the API key only: the account header is not part of the scope or the fingerprint. */
export const idempotencyTable = `
CREATE TABLE IF NOT EXISTS idempotency (
  api_key TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created_at INTEGER NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (api_key, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_created ON idempotency (created_at);
CREATE INDEX IF NOT EXISTS idempotency_object ON idempotency (body ->> '$.data.id');`

/** Retention of a response, by the movable clock: 24 hours. */
const retentionMs = 86_400_000

/** A write's idempotency key and the three things it is bound to; `path` has no query, `bodySha256` is over the raw bytes. */
export type Claim = { apiKey: string; key: string; method: string; path: string; bodySha256: string }

const fingerprintOf = (claim: Claim) => `${claim.method} ${claim.path} ${claim.bodySha256}`

type Row = { fingerprint: string; status: number; headers: string; body: string }

/**
 * The nine idempotency rules of the interface document. A running request holds its claim in memory and stores its response in the
 * transaction of its effect. So a process that dies in between leaves neither effect nor claim, and the key can be used again.
 */
export class IdempotencyStore {
  readonly #store: Store
  readonly #running = new Map<string, string>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Rule 6. Throws a 400 for a key that is not 10 to 40 characters long. */
  checkLength(key: string): void {
    if (key.length < 10 || key.length > 40) throw keyInvalid()
  }

  /**
   * Claims the key, or returns the response stored for an identical request (rules 1 to 5). Throws a 409 if the key is bound to another
   * request, or if its identical request still runs. If this returns undefined, the caller must call `release` when done.
   */
  claim(claim: Claim, now: number): WireAnswer | undefined {
    const fingerprint = fingerprintOf(claim)
    const slot = `${claim.apiKey} ${claim.key}`
    const running = this.#running.get(slot)
    if (running !== undefined) throw keyConflict(running === fingerprint ? 'in_progress' : 'different')
    const storedRow = this.#store.get<Row>(
      'SELECT fingerprint, status, headers, body FROM idempotency WHERE api_key = ? AND key = ? AND created_at > ?',
      ...[claim.apiKey, claim.key, now - retentionMs],
    )
    if (storedRow && storedRow.fingerprint !== fingerprint) throw keyConflict('different')
    if (storedRow) {
      const headers = { ...(JSON.parse(storedRow.headers) as Record<string, string>), 'idempotent-replayed': 'true' }
      return { status: storedRow.status, headers, body: storedRow.body }
    }
    this.#running.set(slot, fingerprint)
    return undefined
  }

  /** Stores the response. Must run inside the effect's transaction. */
  keep(claim: Claim, answer: WireAnswer, now: number): void {
    this.#store.run(
      'INSERT OR REPLACE INTO idempotency (api_key, key, fingerprint, created_at, status, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[claim.apiKey, claim.key, fingerprintOf(claim), now, answer.status, JSON.stringify(answer.headers), answer.body],
    )
  }

  /**
   * Rewrites an object in every stored response that contains it, after a permanent deletion. The keys stay bound to their requests. The
   * caller defines the shape of `data`. Must run inside the change's transaction.
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

  release(claim: Claim): void {
    this.#running.delete(`${claim.apiKey} ${claim.key}`)
  }

  forgetOld(now: number): void {
    this.#store.run('DELETE FROM idempotency WHERE created_at <= ?', now - retentionMs)
  }
}

export function echoesOf({ headers }: IncomingMessage): Record<string, string> {
  const echoes: Record<string, string> = {}
  for (const name of ['request-id', 'correlation-id']) {
    const value = headers[name]
    if (value !== undefined) echoes[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return echoes
}
