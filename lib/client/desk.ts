import type { WireError } from '@/lib/errors'
import type { AmountUnit } from '@/lib/money'
import type { Environment, Role } from '@/lib/operations/define'

/** An account a person may choose as the scope; `id` is `acct_` and a UUID. */
export type AccountChoice = { id: string; name: string; status: string }

/** Where a person stands: the plain data the server hands every screen. It decides nothing; the server checks each request again. */
export type Desk = {
  environment: Environment
  environments: readonly Environment[]
  /** The account scope of the URL; null is the whole platform. */
  account: string | null
  /** The person has no grant for the whole platform and has named no account: nothing may be read yet. */
  needsAccount: boolean
  accounts: readonly AccountChoice[]
  accountsError: WireError | null
  person: { id: string; name: string; email: string; roles: readonly Role[] }
  amountUnit: AmountUnit
  /** Whether the embedded sandbox plays the payments service. */
  embedded: boolean
}

/** The part of a desk a request needs. */
export type DeskScope = Pick<Desk, 'environment' | 'account'>

/** `acct_` and a UUID, as the account scope is written in a URL. */
export const accountPattern = /^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The name people know an account by; its id where the desk was not told one. */
export const accountName = (desk: Pick<Desk, 'accounts'>, account: string): string =>
  desk.accounts.find((choice) => choice.id === account)?.name ?? account
