import type { Sandbox } from '@/sandbox/sandbox'
import type { PaykeyEntry } from './paykey-store'

/**
 * Tells of a new or changed paykey. Its events carry the full token (provider-facts 4.2), the account number stays masked. Must run inside
 * the change's transaction, after the paykey was saved.
 */
export function announcePaykey(sandbox: Sandbox, entry: PaykeyEntry, now: number, kind: 'created' | 'changed' = 'changed'): void {
  const accountId = entry.account === null ? '' : sandbox.accounts.idOf(entry.account)
  const data = { ...entry.doc, paykey: entry.secret.token }
  sandbox.events[kind]({ resource: 'paykey', accountId, data }, now)
}
