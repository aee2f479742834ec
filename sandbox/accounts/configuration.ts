import { forbidden } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Configuration } from './account'

/** The switches of an account by its short number. Throws RangeError when there is no such account, which would be a damaged store. */
export function configurationOf({ accounts }: Sandbox, account: number): Configuration {
  const entry = accounts.at(account)
  if (!entry) throw new RangeError(`no account ${account}`)
  return entry.secret.configuration
}

/** Throws 403 naming the switch when an account has not been given this right. */
export function requireSwitch(sandbox: Sandbox, account: number, name: keyof Configuration): void {
  if (!configurationOf(sandbox, account)[name]) throw forbidden(`The account may not do this: ${name} is off in its settings.`)
}
