import 'server-only'
import { anything, type ChangedRows } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import type { Notice } from '@/lib/server/store/notices'

/** More rows of one account are told as many, and those of more accounts as a loss. */
const mostIds = 200
const mostAccounts = 500

/** What changed in an environment that somebody was not told of yet. */
export class Gathered {
  readonly #environment: Environment
  /** With the moment each was known (`performance.now()`), the last one's of several. */
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

  /** Takes what somebody may hear who may see the rows of these accounts; null is who may see all. */
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
