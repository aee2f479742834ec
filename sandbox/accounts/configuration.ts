import { forbidden } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Configuration } from './account'

/** Returns the settings of an account by row number. Throws RangeError for an unknown account, which means a damaged store. */
export function configurationOf({ accounts }: Sandbox, account: number): Configuration {
  const entry = accounts.at(account)
  if (!entry) throw new RangeError(`no account ${account}`)
  return entry.secret.configuration
}

/** Throws a 403 with the setting's name if it is off for the account. */
export function requireSwitch(sandbox: Sandbox, account: number, name: keyof Configuration): void {
  if (!configurationOf(sandbox, account)[name]) throw forbidden(`The account may not do this: ${name} is off in its settings.`)
}
