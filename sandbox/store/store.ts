import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import Database from 'libsql'

/** Values of the sandbox's SQL columns. Times are milliseconds since 1970; booleans are 0 or 1. */
export type SqlValue = string | number | null

// The values are passed as one array: libsql treats a single null argument as an object of named
// values and throws.
type Statement = Database.Statement<[SqlValue[]]>

/**
 * A SQLite database file. A commit returns only after it is on disk. Only one process may open the
 * file, because payment columns are cached in memory and would miss the writes of another process.
 * A page cache above 12 MiB is not faster, because the operating system caches the file too. Throws
 * libsql's SqliteError, with `SQLITE_BUSY` if another process has the file open.
 */
export class SqliteStore {
  readonly #db: Database.Database
  readonly #statements = new Map<string, Statement>()

  constructor(file: string) {
    this.#db = new Database(file)
    for (const pragma of [
      'locking_mode=EXCLUSIVE',
      'journal_mode=WAL',
      'synchronous=FULL',
      'cache_size=-12288',
      'temp_store=MEMORY',
    ]) {
      this.#db.exec(`PRAGMA ${pragma}`)
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(values).changes
  }

  /** Returns the first row, or undefined. `Row` must match the selected columns. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(values) as Row | undefined
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(values) as Row[]
  }

  /** Runs `work` in a transaction, and rolls back if it throws. Transactions cannot be nested. */
  transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const workResult = work()
      this.#db.exec('COMMIT')
      return workResult
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }

  schema(): string {
    const schemaRows = this.all<{ sql: string }>(
      'SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name',
    )
    return schemaRows.map(({ sql }) => sql).join(';\n')
  }

  copyTo(file: string): void {
    this.run('VACUUM INTO ?', file)
  }

  /**
   * Drops all tables in one transaction, because tables that an interruption left would look like
   * the data of another version. Virtual tables are first, because they drop their underlying
   * tables.
   */
  empty(): void {
    const ownTablesFilter = "type = 'table' AND name NOT LIKE 'sqlite_%'"
    const tables = this.all<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE ${ownTablesFilter} ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC`,
    )
    this.transaction(() => {
      this.#db.exec('PRAGMA defer_foreign_keys=ON')
      for (const { name } of tables) this.#db.exec(`DROP TABLE IF EXISTS "${name}"`)
    })
    this.#statements.clear()
  }

  /**
   * Moves the write-ahead log into the database file and empties the log, which a large seeding
   * makes large.
   */
  checkpoint(): void {
    this.get('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepare(sql: string): Statement {
    const cachedStatement = this.#statements.get(sql)
    if (cachedStatement) return cachedStatement
    const statement: Statement = this.#db.prepare<[SqlValue[]]>(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

export const settingsTableSql =
  'CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;'

export function readSetting(store: SqliteStore, name: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value
}

export function writeSetting(store: SqliteStore, name: string, value: string): void {
  store.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  )
}

let lastIdParts = { at: 0, sequence: 0 }

/**
 * Returns a new UUID in the layout of version 7. `at` is in milliseconds. The 12 bits after the
 * version count the ids of the same millisecond, so that ids sort in order of creation.
 */
export function newId(at: number): string {
  const randomIdBytes = randomBytes(10)
  const idSequence =
    at === lastIdParts.at
      ? Math.min(lastIdParts.sequence + 1, 0xfff)
      : randomIdBytes.readUInt16BE(8) & 0x7ff
  lastIdParts = { at, sequence: idSequence }
  const timeHex = Math.floor(at).toString(16).padStart(12, '0')
  const randomHex = randomIdBytes.toString('hex', 0, 8)
  const variantDigit = '89ab'[(randomIdBytes[0] ?? 0) & 3]
  return `${timeHex.slice(0, 8)}-${timeHex.slice(8)}-7${idSequence.toString(16).padStart(3, '0')}-${variantDigit}${randomHex.slice(1, 4)}-${randomHex.slice(4)}`
}

/** Returns the milliseconds since 1970 in the first 48 bits of a version 7 UUID. */
export const getIdTime = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Matches any UUID in lower or upper case. All ids of the service have this format. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Writes a file that only its owner can read. Writes a temporary file and renames it, so that the
 * file is never incomplete.
 */
export function writePrivateFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export function readOrCreateFile(file: string, createText: () => string): string {
  if (!existsSync(file)) writePrivateFile(file, createText())
  return readFileSync(file, 'utf8').trim()
}

/**
 * Makes a file accessible to its owner only, and creates it if needed. Call it before a database is
 * opened, because SQLite creates the log file with the mode of the database file.
 */
export function makeFilePrivate(file: string): void {
  writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  chmodSync(file, 0o600)
}

/** Error for a secret file that users other than its owner can access. */
export class FileNotPrivateError extends Error {}

export function readPrivateFile(file: string): string {
  // Windows has no such file modes, so nothing is checked there.
  if (process.platform !== 'win32' && statSync(file).mode & 0o077) throw new FileNotPrivateError()
  return readFileSync(file, 'utf8').trim()
}
