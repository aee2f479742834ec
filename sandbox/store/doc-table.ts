import type { SqliteStore, SqlValue } from './store'

/** A column that lists filter or sort by. Its SQL type is TEXT unless `kind` is set. */
type DocColumn<Doc> = {
  kind?: 'INTEGER'
  of: (doc: Doc) => SqlValue
  /**
   * A `unique` index allows each value once per account. Null values never conflict, and neither do
   * rows without an account: check those before the insert.
   */
  index?: 'plain' | 'unique'
}

/** A column given as a function is a TEXT column without an index. */
type DocTableSpec<Doc> = {
  name: string
  columns?: Readonly<Record<string, DocColumn<Doc> | DocColumn<Doc>['of']>>
  search?: (doc: Doc) => string
}

/**
 * A stored object. `n` is its row number, to which other tables refer. `account` is the row number
 * of its account, or null for an object of the platform. API reads do not return `secret`.
 */
export type TableEntry<Doc, Secret = null> = {
  n: number
  account: number | null
  doc: Doc
  secret: Secret
}

/**
 * Conditions on one column. All of them must hold; an undefined condition is ignored. `has` matches
 * a part of the text and ignores case.
 */
export type ColumnCondition = {
  column: string
  is?: SqlValue | undefined
  in?: readonly SqlValue[] | undefined
  from?: SqlValue | undefined
  to?: SqlValue | undefined
  has?: string | undefined
}

/** A requested page of rows. Rows with equal values in `sort` are sorted by row number. */
export type RequestedPage = {
  where?: readonly ColumnCondition[]
  account?: number | null
  search?: string | undefined
  sort: string
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

type DocTableRow = { n: number; account: number | null; doc: string; secret: string | null }

const escapeLikePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const toContainsPattern = (text: string) => `%${escapeLikePattern(text.toLowerCase())}%`

type SqlCondition = { sql: string; values: readonly SqlValue[] }

const makeOptionalCondition = (sql: string, value: SqlValue | undefined): SqlCondition[] =>
  value === undefined ? [] : [{ sql, values: [value] }]

function toSqlConditions({
  column,
  in: among = [],
  has,
  ...where
}: ColumnCondition): SqlCondition[] {
  return [
    ...makeOptionalCondition(`${column} IS ?`, where.is),
    ...makeOptionalCondition(`${column} >= ?`, where.from),
    ...makeOptionalCondition(`${column} <= ?`, where.to),
    ...makeOptionalCondition(
      `lower(${column}) LIKE ? ESCAPE '\\'`,
      has === undefined ? undefined : toContainsPattern(has),
    ),
    ...(among.length === 0
      ? []
      : [{ sql: `${column} IN (${among.map(() => '?').join(', ')})`, values: among }]),
  ]
}

/**
 * A table that stores objects as JSON. Their secret values are in a separate column, so that no
 * response contains them by accident. The names of tables and columns must never come from a
 * request, because they are inserted into SQL without escaping.
 */
export class DocTable<Doc extends { id: string }, Secret = null> {
  readonly #store: SqliteStore
  readonly #spec: DocTableSpec<Doc>
  readonly #columns: readonly (readonly [string, DocColumn<Doc>])[]
  readonly #numbers = new Map<string, number>()

  constructor(store: SqliteStore, spec: DocTableSpec<Doc>) {
    this.#store = store
    this.#spec = spec
    this.#columns = Object.entries(spec.columns ?? {}).map(([name, column]) => [
      name,
      typeof column === 'function' ? { of: column } : column,
    ])
    const columnDefinitions = this.#columns
      .map(([name, { kind = 'TEXT' }]) => `, ${name} ${kind}`)
      .join('')
    store.exec(
      `CREATE TABLE IF NOT EXISTS ${spec.name} (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account INTEGER, search TEXT NOT NULL, secret TEXT, doc TEXT NOT NULL${columnDefinitions})`,
    )
    store.exec(`CREATE INDEX IF NOT EXISTS ${spec.name}_account ON ${spec.name} (account)`)
    for (const [name, { index }] of this.#columns) {
      if (index === 'plain')
        store.exec(`CREATE INDEX IF NOT EXISTS ${spec.name}_${name} ON ${spec.name} (${name})`)
      if (index === 'unique')
        store.exec(
          `CREATE UNIQUE INDEX IF NOT EXISTS ${spec.name}_${name} ON ${spec.name} (account, ${name})`,
        )
    }
  }

  get name(): string {
    return this.#spec.name
  }

  /** Row numbers start at 1 and are never reused, not even after a deletion. */
  insert(account: number | null, doc: Doc, secret: Secret): TableEntry<Doc, Secret> {
    const columnValues = [
      doc.id,
      account,
      this.#searchOf(doc),
      serializeHiddenFields(secret),
      JSON.stringify(doc),
      ...this.#own(doc),
    ]
    const columnNames = [
      'id',
      'account',
      'search',
      'secret',
      'doc',
      ...this.#columns.map(([name]) => name),
    ]
    const placeholders = columnNames.map(() => '?').join(', ')
    const row = this.#store.get<{ n: number }>(
      `INSERT INTO ${this.name} (${columnNames.join(', ')}) VALUES (${placeholders}) RETURNING n`,
      ...columnValues,
    )
    return { n: row?.n ?? 0, account, doc, secret }
  }

  save({ n, doc, secret }: TableEntry<Doc, Secret>): void {
    const columnAssignments = ['search', 'secret', 'doc', ...this.#columns.map(([name]) => name)]
      .map((name) => `${name} = ?`)
      .join(', ')
    const updateValues = [
      this.#searchOf(doc),
      serializeHiddenFields(secret),
      JSON.stringify(doc),
      ...this.#own(doc),
      n,
    ]
    this.#store.run(`UPDATE ${this.name} SET ${columnAssignments} WHERE n = ?`, ...updateValues)
  }

  remove(n: number): void {
    this.#store.run(`DELETE FROM ${this.name} WHERE n = ?`, n)
    this.#numbers.clear()
  }

  get(id: string, account: number | null = null): TableEntry<Doc, Secret> | undefined {
    const tableEntry = this.#read(
      this.#store.get<DocTableRow>(
        `SELECT n, account, doc, secret FROM ${this.name} WHERE id = ?`,
        id.toLowerCase(),
      ),
    )
    return account === null || tableEntry?.account === account ? tableEntry : undefined
  }

  at(n: number): TableEntry<Doc, Secret> | undefined {
    return this.#read(
      this.#store.get<DocTableRow>(
        `SELECT n, account, doc, secret FROM ${this.name} WHERE n = ?`,
        n,
      ),
    )
  }

  numberOf(id: string): number | undefined {
    const cachedRowNumber = this.#numbers.get(id)
    if (cachedRowNumber !== undefined) return cachedRowNumber
    const n = this.#store.get<{ n: number }>(`SELECT n FROM ${this.name} WHERE id = ?`, id)?.n
    if (n !== undefined) this.#numbers.set(id, n)
    return n
  }

  /** Throws RangeError for an unknown number: the database is damaged. */
  idOf(n: number): string {
    const row = this.#store.get<{ id: string }>(`SELECT id FROM ${this.name} WHERE n = ?`, n)
    if (!row) throw new RangeError(`no row ${n} in ${this.name}`)
    return row.id
  }

  find(...where: readonly ColumnCondition[]): TableEntry<Doc, Secret>[] {
    const { sql, values } = this.#conditions({ where })
    const rows = this.#store.all<DocTableRow>(
      `SELECT n, account, doc, secret FROM ${this.name} ${sql} ORDER BY n`,
      ...values,
    )
    return rows.flatMap((row) => this.#read(row) ?? [])
  }

  matching(word: string): number[] {
    return this.#store
      .all<{ n: number }>(`SELECT n FROM ${this.name} WHERE instr(search, ?) > 0`, word)
      .map((row) => row.n)
  }

  page(requestedPage: RequestedPage): { total: number; entries: TableEntry<Doc, Secret>[] } {
    const { sql, values } = this.#conditions(requestedPage)
    const totalRowCount =
      this.#store.get<{ total: number }>(
        `SELECT count(*) AS total FROM ${this.name} ${sql}`,
        ...values,
      )?.total ?? 0
    const rows = this.#store.all<DocTableRow>(
      `SELECT n, account, doc, secret FROM ${this.name} ${sql} ORDER BY ${requestedPage.sort} ${requestedPage.order}, n ${requestedPage.order} LIMIT ? OFFSET ?`,
      ...[...values, requestedPage.limit, requestedPage.offset],
    )
    return { total: totalRowCount, entries: rows.flatMap((row) => this.#read(row) ?? []) }
  }

  /** Clears the cached row numbers. Call it after the rows were deleted. */
  forget(): void {
    this.#numbers.clear()
  }

  #conditions({ where = [], account, search }: Partial<RequestedPage>): {
    sql: string
    values: SqlValue[]
  } {
    const searchWords = search?.split(/\s+/).filter((part) => part !== '') ?? []
    const allConditions = [
      ...where.flatMap(toSqlConditions),
      ...makeOptionalCondition('account = ?', account ?? undefined),
      ...searchWords.flatMap((word) =>
        makeOptionalCondition("search LIKE ? ESCAPE '\\'", toContainsPattern(word)),
      ),
    ]
    const conditionSql = allConditions.map((condition) => condition.sql).join(' AND ')
    return {
      sql: conditionSql === '' ? '' : `WHERE ${conditionSql}`,
      values: allConditions.flatMap((condition) => condition.values),
    }
  }

  #own(doc: Doc): SqlValue[] {
    return this.#columns.map(([, { of }]) => of(doc))
  }

  #searchOf(doc: Doc): string {
    return (this.#spec.search?.(doc) ?? '').toLowerCase()
  }

  #read(row: DocTableRow | undefined): TableEntry<Doc, Secret> | undefined {
    if (!row) return undefined
    const hiddenFields = (row.secret === null ? null : JSON.parse(row.secret)) as Secret
    return { n: row.n, account: row.account, doc: JSON.parse(row.doc) as Doc, secret: hiddenFields }
  }
}

const serializeHiddenFields = (secret: unknown): string | null =>
  secret === null ? null : JSON.stringify(secret)
