import type { SqliteStore } from '@/sandbox/store/store'

/**
 * Table with one row per change. The row is written in the same transaction as the change, so the
 * number of rows equals the number of changes.
 */
export const journalTableSql = `
CREATE TABLE IF NOT EXISTS journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, operation TEXT NOT NULL, target_id TEXT NOT NULL, account_id TEXT,
  idempotency_key TEXT, request_body_sha256 TEXT, file_sha256 TEXT, "from" TEXT, "to" TEXT
);
CREATE INDEX IF NOT EXISTS journal_target ON journal (target_id);
CREATE INDEX IF NOT EXISTS journal_key ON journal (idempotency_key);`

/** `account_id` is null if the platform of a marketplace owns the object. */
export type JournalEffect = {
  target_id: string
  account_id: string | null
  from: string
  to: string
  file_sha256?: string | undefined
}

export type JournalRow = {
  seq: number
  at: string
  operation: string
  target_id: string
  account_id: string | null
  idempotency_key: string | null
  request_body_sha256: string | null
  file_sha256: string | null
  from: string
  to: string
}

type EffectOrigin = {
  at: string
  operation: string
  idempotencyKey: string | null
  bodySha256: string | null
}

export class Journal {
  readonly #store: SqliteStore

  constructor(store: SqliteStore) {
    this.#store = store
  }

  write(origin: EffectOrigin, effect: JournalEffect): void {
    this.#store.run(
      `INSERT INTO journal (at, operation, target_id, account_id, idempotency_key, request_body_sha256, file_sha256, "from", "to")
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[
        origin.at,
        origin.operation,
        effect.target_id,
        effect.account_id,
        origin.idempotencyKey,
        origin.bodySha256,
      ],
      ...[effect.file_sha256 ?? null, effect.from, effect.to],
    )
  }

  read(targetId: string | null, idempotencyKey: string | null, afterSeq: number): JournalRow[] {
    return this.#store.all<JournalRow>(
      'SELECT * FROM journal WHERE seq > ?3 AND (?1 IS NULL OR target_id = ?1) AND (?2 IS NULL OR idempotency_key = ?2) ORDER BY seq',
      ...[targetId, idempotencyKey, afterSeq],
    )
  }
}

/** One logged request. The log never contains the API key. */
export type RequestLogEntry = {
  seq: number
  at: string
  method: string
  path: string
  /**
   * The query string, cut to 1,000 characters. Tokens and personal data are replaced with `***`.
   */
  query: string
  request_id: string | null
  correlation_id: string | null
  account_header: string | null
  idempotency_key: string | null
  has_authorization: boolean
  body_sha256: string | null
  body_bytes: number
  status: number | null
  replayed: boolean
  fault: string | null
}

const maxLogEntries = 10_000

/** Log of the latest requests, also of rejected ones. It exists only in memory. */
export class RequestLog {
  #entries: RequestLogEntry[] = []
  #seq = 0

  add(entry: Omit<RequestLogEntry, 'seq'>): RequestLogEntry {
    this.#seq += 1
    const numberedEntry = { seq: this.#seq, ...entry }
    this.#entries.push(numberedEntry)
    // Trim the log only at twice its maximum size, because each trim copies all entries.
    if (this.#entries.length >= maxLogEntries * 2)
      this.#entries = this.#entries.slice(-maxLogEntries)
    return numberedEntry
  }

  read(afterSeq: number, path: string | null): RequestLogEntry[] {
    return this.#entries
      .slice(-maxLogEntries)
      .filter((entry) => entry.seq > afterSeq && (path === null || entry.path === path))
  }

  clear(): void {
    this.#entries = []
    this.#seq = 0
  }
}
