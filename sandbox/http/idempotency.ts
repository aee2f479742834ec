import type { IncomingMessage } from 'node:http'
import type { Store } from '@/sandbox/store/store'
import { keyConflict, keyInvalid } from './problem'
import type { WireResponse } from './send-response'

/** Stored responses, by API key and idempotency key. The account header is part of neither the primary key nor the fingerprint. */
export const idempotencyTable = `
CREATE TABLE IF NOT EXISTS idempotency (
  api_key TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created_at INTEGER NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (api_key, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_created ON idempotency (created_at);
CREATE INDEX IF NOT EXISTS idempotency_object ON idempotency (body ->> '$.data.id');`

/** Retention of a stored response: 24 hours on the sandbox's clock. */
const retentionMs = 86_400_000

/** A write's idempotency key and the request it is bound to. `path` excludes the query; `bodySha256` is of the raw bytes. */
export type IdempotencyClaim = { apiKey: string; key: string; method: string; path: string; bodySha256: string }

const toFingerprint = (claim: IdempotencyClaim) => `${claim.method} ${claim.path} ${claim.bodySha256}`

type Row = { fingerprint: string; status: number; headers: string; body: string }

/**
 * Implements the nine idempotency rules of the interface document. A running request holds its key in memory. Its response is stored in the
 * transaction of its change. If the process dies before the commit, neither is stored and the key can be used again.
 */
export class IdempotencyStore {
  readonly #store: Store
  readonly #running = new Map<string, string>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Throws a 400 for a key that is not 10 to 40 characters long (rule 6 of the interface document). */
  checkLength(key: string): void {
    if (key.length < 10 || key.length > 40) throw keyInvalid()
  }

  /**
   * Reserves the key for a request and returns undefined; the caller must then call `release` when done. If an identical request is stored,
   * returns its response. Throws a 409 if the key is bound to a different request, or if an identical request still runs.
   */
  claim(claim: IdempotencyClaim, now: number): WireResponse | undefined {
    const fingerprint = toFingerprint(claim)
    const slot = `${claim.apiKey} ${claim.key}`
    const runningRequest = this.#running.get(slot)
    if (runningRequest !== undefined) throw keyConflict(runningRequest === fingerprint ? 'in_progress' : 'different')
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

  /** Stores the response. Must run in the transaction of the request's change. */
  keep(claim: IdempotencyClaim, answer: WireResponse, now: number): void {
    this.#store.run(
      'INSERT OR REPLACE INTO idempotency (api_key, key, fingerprint, created_at, status, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[claim.apiKey, claim.key, toFingerprint(claim), now, answer.status, JSON.stringify(answer.headers), answer.body],
    )
  }

  /**
   * Rewrites an object in every stored response that contains it, after the object was permanently deleted. Keys stay bound to their
   * requests. `change` gets the data in the dialect it was stored in. Must run in the deletion's transaction.
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

  release(claim: IdempotencyClaim): void {
    this.#running.delete(`${claim.apiKey} ${claim.key}`)
  }

  forgetOld(now: number): void {
    this.#store.run('DELETE FROM idempotency WHERE created_at <= ?', now - retentionMs)
  }
}

export function readEchoHeaders({ headers }: IncomingMessage): Record<string, string> {
  const echoes: Record<string, string> = {}
  for (const name of ['request-id', 'correlation-id']) {
    const value = headers[name]
    if (value !== undefined) echoes[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return echoes
}
