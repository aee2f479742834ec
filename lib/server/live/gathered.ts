import 'server-only'
import { anything, type ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import type { Notice } from '@/lib/server/store/notices'

/**
 * Maximum ids per account and resource, above which only the resource is reported as changed. Maximum entries, above which everything is
 * reported as changed.
 */
const mostIds = 200
const mostAccounts = 500

/** Changes in an environment that were not sent yet. */
export class Gathered {
  readonly #environment: Environment
  /** Changes by resource and account. `at` is when the last of them was received (`performance.now()`). */
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

  /** Returns the collected changes that a person with these accounts can see, and clears all of them. Null means all accounts. */
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
