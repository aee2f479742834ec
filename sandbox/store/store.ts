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

  /** Runs SQL without values; for tables and pragmas. */
  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** Runs one write and returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(values).changes
  }

  /** Returns the first row, or undefined. `Row` must match the columns the SQL selects. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(values) as Row | undefined
  }

  /** Returns all rows. `Row` must match the columns the SQL selects. */
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

  /** Returns the SQL of all tables and indexes, sorted by name; empty for a new file. */
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
