import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import Database from 'libsql'

/** Values of the sandbox's columns. Times are milliseconds since 1970, flags are bits. */
export type SqlValue = string | number | null

// Values are passed as one list: libsql treats a single null as a map of named values and throws.
type Statement = Database.Statement<[SqlValue[]]>

/**
 * The sandbox's only access to SQLite: WAL, every commit on disk before it is acknowledged (`synchronous=FULL`), one owner
 * (`locking_mode=EXCLUSIVE`), because the payment columns in memory would miss another process's writes. The page cache is 12 MiB: a larger
 * one adds memory but no speed, given the system's own cache. Statements are prepared once per SQL text. Throws libsql's SqliteError;
 * `SQLITE_BUSY` means that another process has the folder open.
 */
export class Store {
  readonly #db: Database.Database
  readonly #statements = new Map<string, Statement>()

  constructor(file: string) {
    this.#db = new Database(file)
    for (const pragma of ['locking_mode=EXCLUSIVE', 'journal_mode=WAL', 'synchronous=FULL', 'cache_size=-12288', 'temp_store=MEMORY']) {
      this.#db.exec(`PRAGMA ${pragma}`)
    }
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(values).changes
  }

  /** Returns the first row, or undefined. `Row` must match the columns the SQL selects. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(values) as Row | undefined
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(values) as Row[]
  }

  /** Runs `work` in one transaction and rolls back if it throws. Does not nest. */
  transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }

  schema(): string {
    const rows = this.all<{ sql: string }>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name')
    return rows.map(({ sql }) => sql).join(';\n')
  }

  copyTo(file: string): void {
    this.run('VACUUM INTO ?', file)
  }

  /**
   * Drops every table, all or none: a partial set would look like another version's data. Drops virtual tables first, because they drop
   * their own underlying tables. References are checked after all are gone.
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

  /** Moves the write-ahead log into the file, so that a large seeding leaves no large log. */
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

export const settingsTable = 'CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;'

export function readSetting(store: Store, name: string): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value
}

export function writeSetting(store: Store, name: string, value: string): void {
  store.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value)
}

let last = { at: 0, sequence: 0 }

/**
 * Returns a new UUID in version 7 layout. Ids created in the same millisecond count upward in the 12 bits after the version, so they are in
 * order of creation. `at` is milliseconds on the sandbox's clock.
 */
export function newId(at: number): string {
  const random = randomBytes(10)
  const sequence = at === last.at ? Math.min(last.sequence + 1, 0xfff) : random.readUInt16BE(8) & 0x7ff
  last = { at, sequence }
  const time = Math.floor(at).toString(16).padStart(12, '0')
  const tail = random.toString('hex', 0, 8)
  const variant = '89ab'[(random[0] ?? 0) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
}

/** Returns the leading 48 bits of a version 7 UUID: milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Matches any UUID, lower or upper case: the format of all identifiers of the service. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Writes a file that only its owner can read, completely or not at all. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) writePrivately(file, make())
  return readFileSync(file, 'utf8').trim()
}

/** Restricts a file to its owner, creating an empty one if needed. Call it before opening a database: its log file inherits the mode. */
export function makePrivate(file: string): void {
  writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  chmodSync(file, 0o600)
}

/** Thrown for a file that users other than its owner can read or write. */
export class OpenToOthers extends Error {}

export function readPrivate(file: string): string {
  // Windows has no such modes.
  if (process.platform !== 'win32' && statSync(file).mode & 0o077) throw new OpenToOthers()
  return readFileSync(file, 'utf8').trim()
}
