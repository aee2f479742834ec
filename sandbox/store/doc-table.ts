import type { SqlValue, Store } from './store'

/** A column beside the document, for lists that filter or sort by it. It is a text unless `kind` is set. */
type DocColumn<Doc> = {
  kind?: 'INTEGER'
  of: (doc: Doc) => SqlValue
  /** `unique` rejects a second row of the same account with the same value. Null values never conflict. */
  index?: 'plain' | 'unique'
}

/** Definition of a table: SQL name, columns, and the text for the text search. A column given as a function is a text without an index. */
type TableSpec<Doc> = {
  name: string
  columns?: Readonly<Record<string, DocColumn<Doc> | DocColumn<Doc>['of']>>
  search?: (doc: Doc) => string
}

/**
 * A stored row. `n` is its number, which other tables refer to. `account` is the row number of its account, or null for the platform's
 * objects. `secret` has the values that ordinary reads do not return.
 */
export type Entry<Doc, Secret = null> = { n: number; account: number | null; doc: Doc; secret: Secret }

/** Conditions on one column, all of which must hold. An undefined one does not filter. `has` matches part of a text. */
export type ColumnCondition = {
  column: string
  is?: SqlValue | undefined
  in?: readonly SqlValue[] | undefined
  from?: SqlValue | undefined
  to?: SqlValue | undefined
  has?: string | undefined
}

/** A page of a list, sorted by a column, `id` or `n`. Equal values are in order of creation. */
export type RequestedPage = {
  where?: readonly ColumnCondition[]
  account?: number | null
  search?: string | undefined
  sort: string
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

type Row = { n: number; account: number | null; doc: string; secret: string | null }

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const contains = (text: string) => `%${escapeLike(text.toLowerCase())}%`

type Condition = { sql: string; values: readonly SqlValue[] }

const makeComparison = (sql: string, value: SqlValue | undefined): Condition[] => (value === undefined ? [] : [{ sql, values: [value] }])

function toSqlConditions({ column, in: among = [], has, ...where }: ColumnCondition): Condition[] {
  return [
    ...makeComparison(`${column} IS ?`, where.is),
    ...makeComparison(`${column} >= ?`, where.from),
    ...makeComparison(`${column} <= ?`, where.to),
    ...makeComparison(`lower(${column}) LIKE ? ESCAPE '\\'`, has === undefined ? undefined : contains(has)),
    ...(among.length === 0 ? [] : [{ sql: `${column} IN (${among.map(() => '?').join(', ')})`, values: among }]),
  ]
}

/**
 * Table of one resource in SQLite. A row is a JSON document, with columns for filters and sorting. `Secret` has its own column, so that no
 * read returns it by accident. Names of columns and tables must never come from a request, because SQL contains them unescaped.
 */
export class DocTable<Doc extends { id: string }, Secret = null> {
  readonly #store: Store
  readonly #spec: TableSpec<Doc>
  readonly #columns: readonly (readonly [string, DocColumn<Doc>])[]
  readonly #numbers = new Map<string, number>()

  constructor(store: Store, spec: TableSpec<Doc>) {
    this.#store = store
    this.#spec = spec
    this.#columns = Object.entries(spec.columns ?? {}).map(([name, column]) => [
      name,
      typeof column === 'function' ? { of: column } : column,
    ])
    const columnDefinitions = this.#columns.map(([name, { kind = 'TEXT' }]) => `, ${name} ${kind}`).join('')
    store.exec(
      `CREATE TABLE IF NOT EXISTS ${spec.name} (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account INTEGER, search TEXT NOT NULL, secret TEXT, doc TEXT NOT NULL${columnDefinitions})`,
    )
    store.exec(`CREATE INDEX IF NOT EXISTS ${spec.name}_account ON ${spec.name} (account)`)
    for (const [name, { index }] of this.#columns) {
      if (index === 'plain') store.exec(`CREATE INDEX IF NOT EXISTS ${spec.name}_${name} ON ${spec.name} (${name})`)
      if (index === 'unique') store.exec(`CREATE UNIQUE INDEX IF NOT EXISTS ${spec.name}_${name} ON ${spec.name} (account, ${name})`)
    }
  }

  get name(): string {
    return this.#spec.name
  }

  /** Inserts a document and returns its row. Numbers start at 1 and are never reused, not even after a deletion. */
  insert(account: number | null, doc: Doc, secret: Secret): Entry<Doc, Secret> {
    const values = [doc.id, account, this.#searchOf(doc), secretText(secret), JSON.stringify(doc), ...this.#own(doc)]
    const names = ['id', 'account', 'search', 'secret', 'doc', ...this.#columns.map(([name]) => name)]
    const marks = names.map(() => '?').join(', ')
    const row = this.#store.get<{ n: number }>(`INSERT INTO ${this.name} (${names.join(', ')}) VALUES (${marks}) RETURNING n`, ...values)
    return { n: row?.n ?? 0, account, doc, secret }
  }

  save({ n, doc, secret }: Entry<Doc, Secret>): void {
    const sets = ['search', 'secret', 'doc', ...this.#columns.map(([name]) => name)].map((name) => `${name} = ?`).join(', ')
    const values = [this.#searchOf(doc), secretText(secret), JSON.stringify(doc), ...this.#own(doc), n]
    this.#store.run(`UPDATE ${this.name} SET ${sets} WHERE n = ?`, ...values)
  }

  remove(n: number): void {
    this.#store.run(`DELETE FROM ${this.name} WHERE n = ?`, n)
    this.#numbers.clear()
  }

  get(id: string, account: number | null = null): Entry<Doc, Secret> | undefined {
    const entry = this.#read(this.#store.get<Row>(`SELECT n, account, doc, secret FROM ${this.name} WHERE id = ?`, id.toLowerCase()))
    return account === null || entry?.account === account ? entry : undefined
  }

  at(n: number): Entry<Doc, Secret> | undefined {
    return this.#read(this.#store.get<Row>(`SELECT n, account, doc, secret FROM ${this.name} WHERE n = ?`, n))
  }

  numberOf(id: string): number | undefined {
    const cachedNumber = this.#numbers.get(id)
    if (cachedNumber !== undefined) return cachedNumber
    const n = this.#store.get<{ n: number }>(`SELECT n FROM ${this.name} WHERE id = ?`, id)?.n
    if (n !== undefined) this.#numbers.set(id, n)
    return n
  }

  /** Returns the id of a row. Throws RangeError for an unknown number, which means that the database is damaged. */
  idOf(n: number): string {
    const row = this.#store.get<{ id: string }>(`SELECT id FROM ${this.name} WHERE n = ?`, n)
    if (!row) throw new RangeError(`no row ${n} in ${this.name}`)
    return row.id
  }

  find(...where: readonly ColumnCondition[]): Entry<Doc, Secret>[] {
    const { sql, values } = this.#conditions({ where })
    const rows = this.#store.all<Row>(`SELECT n, account, doc, secret FROM ${this.name} ${sql} ORDER BY n`, ...values)
    return rows.flatMap((row) => this.#read(row) ?? [])
  }

  matching(word: string): number[] {
    return this.#store.all<{ n: number }>(`SELECT n FROM ${this.name} WHERE instr(search, ?) > 0`, word).map((row) => row.n)
  }

  page(requested: RequestedPage): { total: number; entries: Entry<Doc, Secret>[] } {
    const { sql, values } = this.#conditions(requested)
    const total = this.#store.get<{ total: number }>(`SELECT count(*) AS total FROM ${this.name} ${sql}`, ...values)?.total ?? 0
    const rows = this.#store.all<Row>(
      `SELECT n, account, doc, secret FROM ${this.name} ${sql} ORDER BY ${requested.sort} ${requested.order}, n ${requested.order} LIMIT ? OFFSET ?`,
      ...[...values, requested.limit, requested.offset],
    )
    return { total, entries: rows.flatMap((row) => this.#read(row) ?? []) }
  }

  /** Clears the cached row numbers. Call it after the rows were deleted. */
  forget(): void {
    this.#numbers.clear()
  }

  #conditions({ where = [], account, search }: Partial<RequestedPage>): { sql: string; values: SqlValue[] } {
    const words = search?.split(/\s+/).filter((part) => part !== '') ?? []
    const allConditions = [
      ...where.flatMap(toSqlConditions),
      ...makeComparison('account = ?', account ?? undefined),
      ...words.flatMap((word) => makeComparison("search LIKE ? ESCAPE '\\'", contains(word))),
    ]
    const sql = allConditions.map((condition) => condition.sql).join(' AND ')
    return { sql: sql === '' ? '' : `WHERE ${sql}`, values: allConditions.flatMap((condition) => condition.values) }
  }

  #own(doc: Doc): SqlValue[] {
    return this.#columns.map(([, { of }]) => of(doc))
  }

  #searchOf(doc: Doc): string {
    return (this.#spec.search?.(doc) ?? '').toLowerCase()
  }

  #read(row: Row | undefined): Entry<Doc, Secret> | undefined {
    if (!row) return undefined
    const secret = (row.secret === null ? null : JSON.parse(row.secret)) as Secret
    return { n: row.n, account: row.account, doc: JSON.parse(row.doc) as Doc, secret }
  }
}

const secretText = (secret: unknown): string | null => (secret === null ? null : JSON.stringify(secret))
