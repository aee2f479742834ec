import 'server-only'
import { anything, type ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import type { Notice } from '@/lib/server/store/notices'

/** Above these limits the ids of an account are dropped, or all rows are reported as a loss. */
const mostIds = 200
const mostAccounts = 500

/** Changes in an environment that were not sent yet. */
export class Gathered {
  readonly #environment: Environment
  /** `at`: when the last change of the row was received (`performance.now()`). */
  #rows = new Map<string, Omit<ChangedRows, 'ago'> & { at: number }>()
  #lost = false

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && !this.#lost
  }

  add(notice: Notice | null, at = performance.now()): void {
    if (notice === null || this.#rows.size > mostAccounts) this.#lost = true
    if (this.#lost) this.#rows.clear()
    if (this.#lost || notice?.about !== 'rows' || notice.environment !== this.#environment) return
    const { resource, account, ids, shown_by } = notice
    const key = `${resource} ${account}`
    const before = this.#rows.get(key) ?? { ids: [], shown_by, at }
    const all = ids && before.ids && [...new Set([...before.ids, ...ids])]
    this.#rows.set(key, {
      ...{ resource, account },
      ids: all && all.length <= mostIds ? all : null,
      shown_by: before.shown_by === shown_by ? shown_by : null,
      at: Math.max(before.at, at),
    })
  }

  /** Returns and clears the changes visible to a person with these accounts. Null means all accounts. */
  take(accounts: readonly string[] | null): readonly ChangedRows[] {
    const [rows, lost] = [[...this.#rows.values()], this.#lost]
    this.#rows = new Map()
    this.#lost = false
    if (lost) return [anything]
    const now = performance.now()
    const theirs = rows.filter(({ account }) => accounts === null || (account !== null && accounts.includes(account)))
    return theirs.map(({ at, ...row }) => ({ ...row, ago: Math.floor(now - at) }))
  }
}
