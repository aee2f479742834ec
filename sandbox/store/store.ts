import Database from 'libsql'

/** What SQLite can hold in the sandbox's columns. Times are milliseconds since 1970, flags are bits. */
export type SqlValue = string | number | null

type Statement = Database.Statement<SqlValue[]>

/**
 * The sandbox's only door to SQLite: WAL, every commit on disk before it is acknowledged (`synchronous=FULL`), and
 * one owner (`locking_mode=EXCLUSIVE`), because the payment columns in memory would not see another process's writes.
 * Statements are prepared once per SQL text. Throws libsql's SqliteError; `SQLITE_BUSY` means another process has the folder.
 */
export class Store {
  readonly #db: Database.Database
  readonly #statements = new Map<string, Statement>()

  constructor(file: string) {
    this.#db = new Database(file)
    for (const pragma of ['locking_mode=EXCLUSIVE', 'journal_mode=WAL', 'synchronous=FULL', 'cache_size=-32768', 'temp_store=MEMORY']) {
      this.#db.exec(`PRAGMA ${pragma}`)
    }
  }

  /** Runs SQL without values; for tables and pragmas. */
  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** Runs one write and gives the number of rows it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(...values).changes
  }

  /** The first row, or undefined. The caller names the row's shape, which must be the shape the SQL selects. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined
  }

  /** All rows, in the shape the caller names. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[]
  }

  /** Runs `work` in one transaction: all of it is kept, or none of it when it throws. Does not nest. */
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

  /** Folds the write-ahead log into the file, so that a big seeding leaves no big log behind. */
  checkpoint(): void {
    this.get('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement: Statement = this.#db.prepare<SqlValue[]>(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
