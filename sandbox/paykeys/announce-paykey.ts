import type { Sandbox } from '@/sandbox/sandbox'
import type { PaykeyEntry } from './paykey-store'

/**
 * Writes the event of a new or changed paykey, with the full token (provider-facts 4.2) and a masked account number. Must run inside the
 * change's transaction, after the save.
 */
export function announcePaykey(sandbox: Sandbox, entry: PaykeyEntry, now: number, kind: 'created' | 'changed' = 'changed'): void {
  const accountId = entry.account === null ? '' : sandbox.accounts.idOf(entry.account)
  const data = { ...entry.doc, paykey: entry.secret.token }
  sandbox.events[kind]({ resource: 'paykey', accountId, data }, now)
}
