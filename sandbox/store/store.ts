import Database from 'libsql'

/** What SQLite can hold in the sandbox's columns. Times are milliseconds since 1970, flags are bits. */
export type SqlValue = string | number | null

// Values go as one list: given singly, libsql takes a lone null for a map of named ones and throws.
type Statement = Database.Statement<[SqlValue[]]>

/**
 * The sandbox's only door to SQLite: WAL, every commit on disk before it is acknowledged (`synchronous=FULL`), and
 * one owner (`locking_mode=EXCLUSIVE`), because the payment columns in memory would not see another process's writes.
 * The page cache is 12 MiB: more makes the process larger and, with the system's own cache behind it, no faster. Statements are
 * prepared once per SQL text. Throws libsql's SqliteError; `SQLITE_BUSY` means another process has the folder.
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

  /** Runs one write and gives the number of rows it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#prepare(sql).run(values).changes
  }

  /** The first row, or undefined. The caller names the row's shape, which must be the shape the SQL selects. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(values) as Row | undefined
  }

  /** All rows, in the shape the caller names. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(values) as Row[]
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

  /** The SQL that made tables and indexes, in the order of their names; empty for a new file. */
  schema(): string {
    const rows = this.all<{ sql: string }>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name')
    return rows.map(({ sql }) => sql).join(';\n')
  }

  /** Writes all of it to a new file. */
  copyTo(file: string): void {
    this.run('VACUUM INTO ?', file)
  }

  /**
   * Drops every table, all or none: half of them would pass for the data of another version. Virtual ones go first: they take the tables under
   * them along. References are looked at when all are gone.
   */
  empty(): void {
    const own = "type = 'table' AND name NOT LIKE 'sqlite_%'"
    const tables = this.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE ${own} ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC`)
    this.transaction(() => {
      this.#db.exec('PRAGMA defer_foreign_keys=ON')
      for (const { name } of tables) this.#db.exec(`DROP TABLE IF EXISTS "${name}"`)
    })
    this.#statements.clear()
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
    const statement: Statement = this.#db.prepare<[SqlValue[]]>(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
