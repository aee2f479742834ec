import { z } from 'zod'
import { forbidden } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'

/** What an account may do beyond the usual (provider-facts 2.14); part of its settings, not of the account itself. */
export const configuration = z
  .strictObject({
    allow_data_unmask: z.boolean(),
    allow_duplicate_email: z.boolean(),
    allow_customer_identity_skip: z.boolean(),
    allow_paykey_verification_skip: z.boolean(),
  })
  .meta({ id: 'AccountConfiguration' })

/** The four switches. */
export type Configuration = z.infer<typeof configuration>

/** What an account gets that nobody configured: everything off, as the provider has it until somebody asks. */
export const usualConfiguration: Configuration = {
  allow_data_unmask: false,
  allow_duplicate_email: false,
  allow_customer_identity_skip: false,
  allow_paykey_verification_skip: false,
}

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
