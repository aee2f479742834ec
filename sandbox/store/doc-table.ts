import type { SqlValue, Store } from './store'

/** A column kept beside the document because lists filter or sort by it. */
export type DocColumn<Doc> = {
  kind: 'TEXT' | 'INTEGER'
  of: (doc: Doc) => SqlValue
  /** `unique` refuses a second row with the value in the same account; null never collides. */
  index?: 'plain' | 'unique'
}

/** What a table holds: its SQL name, its columns, and the text a free search looks through. */
export type TableSpec<Doc> = {
  name: string
  columns?: Readonly<Record<string, DocColumn<Doc>>>
  search?: (doc: Doc) => string
}

/** A row: the short number other tables refer to, the number of its account (null: of the platform), the document, and what only an unmasked read shows. */
export type Entry<Doc, Secret = null> = { n: number; account: number | null; doc: Doc; secret: Secret }

/** What a list asks of one column; all that is given must hold, and an undefined value asks nothing. `has` looks inside a text. */
export type Where = {
  column: string
  is?: SqlValue | undefined
  in?: readonly SqlValue[] | undefined
  from?: SqlValue | undefined
  to?: SqlValue | undefined
  has?: string | undefined
}

/** Which page of a list: sorted by a column (or `id`, or `n`), ties by the order of making. */
export type RequestedPage = {
  where?: readonly Where[]
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

const comparison = (sql: string, value: SqlValue | undefined): Condition[] => (value === undefined ? [] : [{ sql, values: [value] }])

/** What a column must meet, as SQL. */
function conditionsOf({ column, in: among = [], has, ...where }: Where): Condition[] {
  return [
    ...comparison(`${column} IS ?`, where.is),
    ...comparison(`${column} >= ?`, where.from),
    ...comparison(`${column} <= ?`, where.to),
    ...comparison(`lower(${column}) LIKE ? ESCAPE '\\'`, has === undefined ? undefined : contains(has)),
    ...(among.length === 0 ? [] : [{ sql: `${column} IN (${among.map(() => '?').join(', ')})`, values: among }]),
  ]
}

/**
 * Documents of one resource in SQLite: JSON, with columns beside it for what is filtered and sorted. `Secret` is kept apart in a column of its
 * own, so that no ordinary read can show it by accident. Column and table names come from the code, never from a request.
 */
export class DocTable<Doc extends { id: string }, Secret = null> {
  readonly #store: Store
  readonly #spec: TableSpec<Doc>
  readonly #columns: readonly (readonly [string, DocColumn<Doc>])[]
  readonly #numbers = new Map<string, number>()

  /** Makes the table when it is not there yet. */
  constructor(store: Store, spec: TableSpec<Doc>) {
    this.#store = store
    this.#spec = spec
    this.#columns = Object.entries(spec.columns ?? {})
    const own = this.#columns.map(([name, { kind }]) => `, ${name} ${kind}`).join('')
    store.exec(
      `CREATE TABLE IF NOT EXISTS ${spec.name} (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account INTEGER, search TEXT NOT NULL, secret TEXT, doc TEXT NOT NULL${own})`,
    )
    store.exec(`CREATE INDEX IF NOT EXISTS ${spec.name}_account ON ${spec.name} (account)`)
    for (const [name, { index }] of this.#columns) {
      if (index === 'plain') store.exec(`CREATE INDEX IF NOT EXISTS ${spec.name}_${name} ON ${spec.name} (${name})`)
      if (index === 'unique') store.exec(`CREATE UNIQUE INDEX IF NOT EXISTS ${spec.name}_${name} ON ${spec.name} (account, ${name})`)
    }
  }

  /** The table's SQL name; wiping a platform needs it. */
  get name(): string {
    return this.#spec.name
  }

  /** Adds a document and gives its row. Numbers start at 1 and are never given twice, not even after a removal. */
  insert(account: number | null, doc: Doc, secret: Secret): Entry<Doc, Secret> {
    const values = [doc.id, account, this.#searchOf(doc), secretText(secret), JSON.stringify(doc), ...this.#own(doc)]
    const names = ['id', 'account', 'search', 'secret', 'doc', ...this.#columns.map(([name]) => name)]
    const marks = names.map(() => '?').join(', ')
    const row = this.#store.get<{ n: number }>(`INSERT INTO ${this.name} (${names.join(', ')}) VALUES (${marks}) RETURNING n`, ...values)
    return { n: row?.n ?? 0, account, doc, secret }
  }

  /** Writes a changed document, or a changed secret, back to its row. */
  save({ n, doc, secret }: Entry<Doc, Secret>): void {
    const sets = ['search', 'secret', 'doc', ...this.#columns.map(([name]) => name)].map((name) => `${name} = ?`).join(', ')
    const values = [this.#searchOf(doc), secretText(secret), JSON.stringify(doc), ...this.#own(doc), n]
    this.#store.run(`UPDATE ${this.name} SET ${sets} WHERE n = ?`, ...values)
  }

  /** Permanently removes a row. */
  remove(n: number): void {
    this.#store.run(`DELETE FROM ${this.name} WHERE n = ?`, n)
    this.#numbers.clear()
  }

  /** The row of an id, or undefined; with an account, only if it belongs to it. */
  get(id: string, account: number | null = null): Entry<Doc, Secret> | undefined {
    const entry = this.#read(this.#store.get<Row>(`SELECT n, account, doc, secret FROM ${this.name} WHERE id = ?`, id.toLowerCase()))
    return account === null || entry?.account === account ? entry : undefined
  }

  /** The row of a short number, or undefined. */
  at(n: number): Entry<Doc, Secret> | undefined {
    return this.#read(this.#store.get<Row>(`SELECT n, account, doc, secret FROM ${this.name} WHERE n = ?`, n))
  }

  /** The short number of an id, remembered; undefined when there is none. */
  numberOf(id: string): number | undefined {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const n = this.#store.get<{ n: number }>(`SELECT n FROM ${this.name} WHERE id = ?`, id)?.n
    if (n !== undefined) this.#numbers.set(id, n)
    return n
  }

  /** The id of a short number. Throws RangeError when there is none, which would be a damaged store. */
  idOf(n: number): string {
    const row = this.#store.get<{ id: string }>(`SELECT id FROM ${this.name} WHERE n = ?`, n)
    if (!row) throw new RangeError(`no row ${n} in ${this.name}`)
    return row.id
  }

  /** All rows that meet the conditions, in the order of their making. */
  find(...where: readonly Where[]): Entry<Doc, Secret>[] {
    const { sql, values } = this.#conditions({ where })
    const rows = this.#store.all<Row>(`SELECT n, account, doc, secret FROM ${this.name} ${sql} ORDER BY n`, ...values)
    return rows.flatMap((row) => this.#read(row) ?? [])
  }

  /** Numbers of the rows whose search text holds `word` (lower case). */
  matching(word: string): number[] {
    return this.#store.all<{ n: number }>(`SELECT n FROM ${this.name} WHERE instr(search, ?) > 0`, word).map((row) => row.n)
  }

  /** One page and the exact number of all matches. */
  page(requested: RequestedPage): { total: number; entries: Entry<Doc, Secret>[] } {
    const { sql, values } = this.#conditions(requested)
    const total = this.#store.get<{ total: number }>(`SELECT count(*) AS total FROM ${this.name} ${sql}`, ...values)?.total ?? 0
    const rows = this.#store.all<Row>(
      `SELECT n, account, doc, secret FROM ${this.name} ${sql} ORDER BY ${requested.sort} ${requested.order}, n ${requested.order} LIMIT ? OFFSET ?`,
      ...[...values, requested.limit, requested.offset],
    )
    return { total, entries: rows.flatMap((row) => this.#read(row) ?? []) }
  }

  /** Forgets remembered numbers; needed after the table was wiped. */
  forget(): void {
    this.#numbers.clear()
  }

  #conditions({ where = [], account, search }: Partial<RequestedPage>): { sql: string; values: SqlValue[] } {
    const words = search?.split(/\s+/).filter((part) => part !== '') ?? []
    const all = [
      ...where.flatMap(conditionsOf),
      ...comparison('account = ?', account ?? undefined),
      ...words.flatMap((word) => comparison("search LIKE ? ESCAPE '\\'", contains(word))),
    ]
    const sql = all.map((condition) => condition.sql).join(' AND ')
    return { sql: sql === '' ? '' : `WHERE ${sql}`, values: all.flatMap((condition) => condition.values) }
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
