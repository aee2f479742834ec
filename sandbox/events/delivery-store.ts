import type { SqliteStore } from '@/sandbox/store/store'
import {
  type EndpointState,
  healthyEndpointState,
  readEndpointState,
  saveEndpointState,
  saveEndpointUrl,
} from './endpoint-state'

/**
 * Tables of webhook deliveries and of their attempts. Each event that is written while an endpoint
 * is configured has one delivery, with the same `seq`. `tries` counts the attempts since the retry
 * schedule last began. `next_attempt_at` is null unless the delivery is pending.
 */
export const deliveriesTableSql = `
CREATE TABLE IF NOT EXISTS deliveries (
  seq INTEGER PRIMARY KEY, object_id TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, next_attempt_at INTEGER
);
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS delivery_attempts (
  n INTEGER PRIMARY KEY, delivery INTEGER NOT NULL, at INTEGER NOT NULL, status INTEGER, error TEXT, ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS delivery_attempts_of ON delivery_attempts (delivery);`

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

type DeliveryState = (typeof deliveryStates)[number]

export type WebhookMessage = { seq: number; objectId: string; webhookId: string; payload: string }

/** `error` is a code for no response. `ms` is the duration on the machine's clock. */
export type AttemptOutcome = { status: number | null; error: string | null; ms: number }

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/**
 * Milliseconds after each failed attempt: eight attempts in about 27 hours (provider-facts 4.4).
 */
const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
]

/** An endpoint is disabled after failing for this many milliseconds without a success. */
const disableAfterMs = 5 * 24 * hourMs

const webhookIdPrefix = 'msg_'

/** Derived from the event's id, so that all attempts have the same one, also after a crash. */
const toWebhookId = (eventId: string): string => webhookIdPrefix + eventId

const isReceived = ({ status }: AttemptOutcome): boolean =>
  status !== null && status >= 200 && status < 300

/**
 * The caller must `claim` a due message, send it, `settle` its result and `release` it in any case,
 * so that a message without a result can be claimed again.
 */
export class DeliveryStore {
  readonly #store: SqliteStore
  readonly #configured: boolean
  readonly #claimed = new Map<number, WebhookMessage>()

  constructor(store: SqliteStore, url?: string) {
    this.#store = store
    this.#configured = url !== undefined
    if (url !== undefined) saveEndpointUrl(store, url)
  }

  get configured(): boolean {
    return this.#configured
  }

  get endpoint(): EndpointState {
    return readEndpointState(this.#store)
  }

  /**
   * Creates the delivery of the event that was just written. Call it right after that write, in the
   * same transaction, because it uses SQLite's `last_insert_rowid()`. If the endpoint is disabled,
   * the delivery has failed without an attempt; after `enable`, `recover` can still send it.
   */
  addLast({ objectId, at }: { objectId: string; at: number }): void {
    if (!this.#configured) return
    const isDisabled = this.endpoint.disabled_at !== null
    this.#store.run(
      'INSERT INTO deliveries (seq, object_id, state, tries, next_attempt_at) VALUES (last_insert_rowid(), ?, ?, 0, ?)',
      ...[objectId, isDisabled ? 'failed' : 'pending', isDisabled ? null : at],
    )
  }

  /**
   * Returns undefined if none is due or the endpoint is disabled. Skips objects with a running
   * delivery, so that messages about one object arrive in order.
   */
  claim(now: number): WebhookMessage | undefined {
    const claimedObjectIds = [...this.#claimed.values()].map((message) => message.objectId)
    const row = this.#store.get<{ seq: number; id: string; object_id: string; payload: string }>(
      `SELECT e.seq, e.id, e.object_id, e.payload FROM deliveries d JOIN events e ON e.seq = d.seq
       WHERE d.next_attempt_at <= ? AND d.object_id NOT IN (SELECT value FROM json_each(?)) ORDER BY d.next_attempt_at, d.seq LIMIT 1`,
      ...[now, JSON.stringify(claimedObjectIds)],
    )
    if (!row || this.endpoint.disabled_at !== null) return undefined
    const message = {
      seq: row.seq,
      objectId: row.object_id,
      webhookId: toWebhookId(row.id),
      payload: row.payload,
    }
    this.#claimed.set(row.seq, message)
    return message
  }

  isClaimed(seq: number): boolean {
    return this.#claimed.has(seq)
  }

  release(message: WebhookMessage): void {
    if (this.#claimed.get(message.seq) === message) this.#claimed.delete(message.seq)
  }

  /**
   * Schedules a retry after a failure. Ignores a message claimed before a reset deleted all data.
   */
  settle(message: WebhookMessage, outcome: AttemptOutcome, now: number): void {
    if (this.#claimed.get(message.seq) !== message) return
    this.#store.transaction(() => {
      this.#store.run(
        'INSERT INTO delivery_attempts (delivery, at, status, error, ms) VALUES (?, ?, ?, ?, ?)',
        ...[message.seq, now, outcome.status, outcome.error, outcome.ms],
      )
      if (isReceived(outcome)) this.#received(message)
      else this.#notReceived(message, now)
    })
    this.#claimed.delete(message.seq)
  }

  resend(seq: number, now: number): void {
    this.#store.run(
      "UPDATE deliveries SET state = 'pending', tries = 0, next_attempt_at = ? WHERE seq = ?",
      now,
      seq,
    )
  }

  recover(since: number, now: number): number {
    return this.#store.run(
      `UPDATE deliveries SET state = 'pending', tries = 0, next_attempt_at = ?
       WHERE state = 'failed' AND seq IN (SELECT seq FROM events WHERE at >= ?)`,
      ...[now, since],
    )
  }

  /** Failed deliveries stay failed until `recover` is called. */
  enable(): void {
    saveEndpointState(this.#store, healthyEndpointState)
  }

  /** Clears all claims and the endpoint's failure state. Call it after all data was deleted. */
  forget(): void {
    this.#claimed.clear()
    this.enable()
  }

  #received({ seq }: WebhookMessage): void {
    this.#store.run(
      "UPDATE deliveries SET state = 'delivered', tries = tries + 1, next_attempt_at = NULL WHERE seq = ?",
      seq,
    )
    const { failing_since, disabled_at } = this.endpoint
    if (failing_since !== null) saveEndpointState(this.#store, { failing_since: null, disabled_at })
  }

  #notReceived({ seq }: WebhookMessage, now: number): void {
    const { failing_since, disabled_at } = this.endpoint
    const failingSince = failing_since ?? now
    const disabledAt = disabled_at ?? (now - failingSince >= disableAfterMs ? now : null)
    if (failing_since !== failingSince || disabled_at !== disabledAt)
      saveEndpointState(this.#store, { failing_since: failingSince, disabled_at: disabledAt })
    const attemptCount =
      this.#store.get<{ tries: number }>('SELECT tries FROM deliveries WHERE seq = ?', seq)
        ?.tries ?? 0
    const retryDelay = retryDelaysMs[attemptCount]
    const nextAttemptAt = retryDelay === undefined ? null : now + retryDelay
    this.#store.run(
      'UPDATE deliveries SET state = ?, tries = tries + 1, next_attempt_at = ? WHERE seq = ?',
      ...[nextAttemptAt === null ? 'failed' : 'pending', nextAttemptAt, seq],
    )
    if (disabledAt !== null) {
      this.#store.run(
        "UPDATE deliveries SET state = 'failed', next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL",
      )
    }
  }
}

/** `at` is in milliseconds on the sandbox's clock. */
export type RecordedAttempt = AttemptOutcome & { at: number }

/** `id` is the `webhook-id` that the receiver gets; `at` is the time of the event. */
export type DeliveryEntry = {
  seq: number
  id: string
  event_type: string
  account_id: string | null
  object_id: string
  at: number
  state: DeliveryState
  next_attempt_at: number | null
  attempts: RecordedAttempt[]
}

type DeliveryFilter = {
  since: number
  state: DeliveryState | null
  objectId: string | null
  limit: number
}

type DeliveryRow = Omit<DeliveryEntry, 'id' | 'attempts'> & { event_id: string; attempts: string }

export function readDeliveries(
  store: SqliteStore,
  { since, state, objectId, limit }: DeliveryFilter,
): DeliveryEntry[] {
  const rows = store.all<DeliveryRow>(
    `SELECT d.seq, e.id AS event_id, e.type AS event_type, e.account_id, d.object_id, e.at, d.state, d.next_attempt_at,
       (SELECT json_group_array(json_object('at', at, 'status', status, 'error', error, 'ms', ms))
        FROM (SELECT * FROM delivery_attempts WHERE delivery = d.seq ORDER BY n)) AS attempts
     FROM deliveries d JOIN events e ON e.seq = d.seq
     WHERE d.seq > ?1 AND (?2 IS NULL OR d.state = ?2) AND (?3 IS NULL OR d.object_id = ?3) ORDER BY d.seq LIMIT ?4`,
    ...[since, state, objectId, limit],
  )
  return rows.map(({ event_id, attempts, ...entry }) => ({
    ...entry,
    id: toWebhookId(event_id),
    attempts: JSON.parse(attempts) as RecordedAttempt[],
  }))
}

export const findDeliverySeq = (store: SqliteStore, webhookId: string): number | undefined =>
  store.get<{ seq: number }>(
    'SELECT d.seq FROM deliveries d JOIN events e ON e.seq = d.seq WHERE e.id = ?',
    webhookId.slice(webhookIdPrefix.length),
  )?.seq

export function countDeliveries(store: SqliteStore): Partial<Record<DeliveryState, number>> {
  const rows = store.all<{ state: DeliveryState; total: number }>(
    'SELECT state, count(*) AS total FROM deliveries GROUP BY state',
  )
  return Object.fromEntries(rows.map(({ state, total }) => [state, total]))
}
