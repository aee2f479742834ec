import 'server-only'
import { type ChangedRows, everythingChanged } from '@/lib/operations/changes'
import type { Environment } from '@/lib/operations/define'
import { getOwnerRule } from '@/lib/operations/ownership'
import { getIntegration } from '@/lib/server/config/integration'
import type { StoreNotification } from '@/lib/server/store/notifications'

/**
 * If an entry would have more ids, it reports only that the resource changed. If there would be
 * more entries, the buffer reports that everything changed.
 */
const maxIdsPerRow = 200
const maxBufferedRows = 500

export class ChangeBuffer {
  readonly #environment: Environment
  /** Keyed by resource and account. `at`: time of the last change (`performance.now()`). */
  #rows = new Map<string, Omit<ChangedRows, 'ago'> & { at: number }>()
  #lost = false

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && !this.#lost
  }

  add(notification: StoreNotification | null, at = performance.now()): void {
    if (notification === null || this.#rows.size > maxBufferedRows) this.#lost = true
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
      ids: allIds && allIds.length <= maxIdsPerRow ? allIds : null,
      shown_by: earlierRow.shown_by === shown_by ? shown_by : null,
      at: Math.max(earlierRow.at, at),
    })
  }

  #belongsToPlatform(resource: ChangedRows['resource']): boolean {
    const integration = getIntegration(this.#environment)
    return resource !== null && getOwnerRule(resource, integration) === 'platform'
  }

  /**
   * Also clears the buffer. `accounts` null means all accounts. A person of single accounts may see
   * some of a marketplace's customers, but not which of the others changed: they only learn that
   * some did.
   */
  take(accounts: readonly string[] | null): readonly ChangedRows[] {
    const [rows, lost] = [[...this.#rows.values()], this.#lost]
    this.#rows = new Map()
    this.#lost = false
    if (lost) return [everythingChanged]
    const now = performance.now()
    const visibleRows = rows.flatMap((row) => {
      if (accounts === null || (row.account !== null && accounts.includes(row.account)))
        return [row]
      return this.#belongsToPlatform(row.resource)
        ? [{ ...row, account: null, ids: null, shown_by: null }]
        : []
    })
    return visibleRows.map(({ at, ...row }) => ({ ...row, ago: Math.floor(now - at) }))
  }
}
