import 'server-only'
import { type ChangedRows, everythingChanged } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import type { StoreNotification } from '@/lib/server/store/notifications'

/**
 * Maximum ids per account and resource. If there are more, only the resource is reported as
 * changed. Maximum entries of the buffer. If there are more, everything is reported as changed.
 */
const maxIdsPerEntry = 200
const maxBufferedEntries = 500

/** Collects the changes in an environment until they are sent to a browser. */
export class ChangeBuffer {
  readonly #environment: Environment
  /**
   * Changes by resource and account. `at` is when the last of them was received
   * (`performance.now()`).
   */
  #rows = new Map<string, Omit<ChangedRows, 'ago'> & { at: number }>()
  #lost = false

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && !this.#lost
  }

  add(notification: StoreNotification | null, at = performance.now()): void {
    if (notification === null || this.#rows.size > maxBufferedEntries) this.#lost = true
    if (this.#lost) this.#rows.clear()
    if (
      this.#lost ||
      notification?.about !== 'rows' ||
      notification.environment !== this.#environment
    )
      return
    const { resource, account, ids, shown_by } = notification
    const key = `${resource} ${account}`
    const earlierRow = this.#rows.get(key) ?? { ids: [], shown_by, at }
    const allIds = ids && earlierRow.ids && [...new Set([...earlierRow.ids, ...ids])]
    this.#rows.set(key, {
      ...{ resource, account },
      ids: allIds && allIds.length <= maxIdsPerEntry ? allIds : null,
      shown_by: earlierRow.shown_by === shown_by ? shown_by : null,
      at: Math.max(earlierRow.at, at),
    })
  }

  /**
   * Returns the collected changes in accounts that the person can see, and clears the buffer.
   * `accounts` null means all accounts.
   */
  take(accounts: readonly string[] | null): readonly ChangedRows[] {
    const [rows, lost] = [[...this.#rows.values()], this.#lost]
    this.#rows = new Map()
    this.#lost = false
    if (lost) return [everythingChanged]
    const now = performance.now()
    const visibleRows = rows.filter(
      ({ account }) => accounts === null || (account !== null && accounts.includes(account)),
    )
    return visibleRows.map(({ at, ...row }) => ({ ...row, ago: Math.floor(now - at) }))
  }
}
