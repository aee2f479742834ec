import type { IncomingMessage } from 'node:http'
import type { SqliteStore } from '@/sandbox/store/store'
import { makeIdempotencyConflictProblem, makeIdempotencyKeyProblem } from './problem'
import type { WireResponse } from './send-response'

/**
 * The account header is in neither the primary key nor the fingerprint, so a request that differs
 * only in this header counts as the same request.
 */
export const idempotencyTableSql = `
CREATE TABLE IF NOT EXISTS idempotency (
  api_key TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, created_at INTEGER NOT NULL,
  status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (api_key, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_created ON idempotency (created_at);
CREATE INDEX IF NOT EXISTS idempotency_object ON idempotency (body ->> '$.data.id');`

/** How long a response can be replayed, on the sandbox's clock. */
const retentionMs = 86_400_000

/** `path` excludes the query; `bodySha256` is of the raw bytes. */
export type IdempotencyClaim = {
  apiKey: string
  key: string
  method: string
  path: string
  bodySha256: string
}

const toFingerprint = (claim: IdempotencyClaim) =>
  `${claim.method} ${claim.path} ${claim.bodySha256}`

type StoredResponseRow = { fingerprint: string; status: number; headers: string; body: string }

/**
 * Implements the nine idempotency rules of the interface document. While a request runs, its key is
 * reserved in memory. Its response is stored in the same transaction as its change. If the process
 * dies before the commit, neither is stored and the key can be used again.
 */
export class IdempotencyStore {
  readonly #store: SqliteStore
  readonly #running = new Map<string, string>()

  constructor(store: SqliteStore) {
    this.#store = store
  }

  /** Throws a 400 unless the key has 10 to 40 characters (rule 6 of the interface document). */
  checkLength(key: string): void {
    if (key.length < 10 || key.length > 40) throw makeIdempotencyKeyProblem()
  }

  /**
   * Reserves the key for a new request and returns undefined; the caller must call `release` when
   * the request is done. If the same request already has a stored response, returns that response.
   * Throws a 409 if the key is bound to a different request, or if the same request still runs.
   */
  claim(claim: IdempotencyClaim, now: number): WireResponse | undefined {
    const fingerprint = toFingerprint(claim)
    const reservationKey = `${claim.apiKey} ${claim.key}`
    const runningFingerprint = this.#running.get(reservationKey)
    if (runningFingerprint !== undefined)
      throw makeIdempotencyConflictProblem(
        runningFingerprint === fingerprint ? 'in_progress' : 'different',
      )
    const storedRow = this.#store.get<StoredResponseRow>(
      'SELECT fingerprint, status, headers, body FROM idempotency WHERE api_key = ? AND key = ? AND created_at > ?',
      ...[claim.apiKey, claim.key, now - retentionMs],
    )
    if (storedRow && storedRow.fingerprint !== fingerprint)
      throw makeIdempotencyConflictProblem('different')
    if (storedRow) {
      const headers = {
        ...(JSON.parse(storedRow.headers) as Record<string, string>),
        'idempotent-replayed': 'true',
      }
      return { status: storedRow.status, headers, body: storedRow.body }
    }
    this.#running.set(reservationKey, fingerprint)
    return undefined
  }

  /**
   * Stores the response under its key. Must run in the transaction that makes the request's change,
   * so that neither is stored without the other.
   */
  keep(claim: IdempotencyClaim, answer: WireResponse, now: number): void {
    this.#store.run(
      'INSERT OR REPLACE INTO idempotency (api_key, key, fingerprint, created_at, status, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[
        claim.apiKey,
        claim.key,
        toFingerprint(claim),
        now,
        answer.status,
        JSON.stringify(answer.headers),
        answer.body,
      ],
    )
  }

  /**
   * Removes the personal data of a permanently deleted object from the stored responses about it.
   * Must run in the transaction that deletes the object. Keys stay bound to their requests.
   * `change` gets the data in the dialect (wire format) in which the response was sent.
   */
  retell<Data extends object>(objectId: string, change: (data: Data) => object): void {
    const idempotencyRows = this.#store.all<{ api_key: string; key: string; body: string }>(
      "SELECT api_key, key, body FROM idempotency WHERE body ->> '$.data.id' = ?",
      objectId,
    )
    for (const { api_key, key, body } of idempotencyRows) {
      const storedBody = JSON.parse(body) as { data: Data }
      const changedBody = JSON.stringify({ ...storedBody, data: change(storedBody.data) })
      this.#store.run(
        'UPDATE idempotency SET body = ? WHERE api_key = ? AND key = ?',
        changedBody,
        api_key,
        key,
      )
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
  const echoHeaders: Record<string, string> = {}
  for (const name of ['request-id', 'correlation-id']) {
    const value = headers[name]
    if (value !== undefined) echoHeaders[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return echoHeaders
}
