import type { WireError } from '@/lib/errors'
import type { AmountUnit } from '@/lib/money'
import type { Environment, Role } from './define'

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
  /** The person has roles for single accounts only, which are then all of `accounts`. */
  isLimited: boolean
  /** Why the account that was named is not this person's; they choose another. Null for every other reason. */
  denied: string | null
  accounts: readonly AccountChoice[]
  accountsError: WireError | null
  person: { id: string; name: string; email: string; roles: readonly Role[] }
  amountUnit: AmountUnit
  /** Whether the embedded sandbox plays the payments service. */
  embedded: boolean
}
