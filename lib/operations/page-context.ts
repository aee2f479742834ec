import type { WireError } from '@/lib/errors'
import type { AmountUnit } from '@/lib/money'
import type { Environment, Role } from './define'

/** An account a person may choose as the scope; `id` is `acct_` and a UUID. */
export type AccountChoice = { id: string; name: string; status: string }

/** The accounts a person looks into: the one they chose, or all. */
export type AccountsInScope = Pick<PageContext, 'environment' | 'account' | 'needsAccount'>

/** Who looks at a page, where and in which scope: the plain data the server hands every screen. It decides nothing; the server checks each request again. */
export type PageContext = {
  environment: Environment
  environments: readonly Environment[]
  /** The account a person chose to work in (`?account=`), kept by every link; null is the whole platform. Only they change it. */
  scope: string | null
  /**
   * The account this part of the screen is about, in which it reads and writes: the scope, or on a record's own pages the account of the record. Null is
   * the whole platform.
   */
  account: string | null
  /** The person has no grant for the whole platform and has named no account: nothing may be read yet. */
  needsAccount: boolean
  /** The person has roles for single accounts only, and never the whole platform. */
  isLimited: boolean
  /** Why an account that was named is not this person's; they choose another. Null for every other reason. */
  denied: string | null
  /** All accounts they may choose, or where these are too many for every page those it names. */
  accounts: readonly AccountChoice[]
  hasAllAccounts: boolean
  accountsError: WireError | null
  person: { id: string; name: string; email: string; roles: readonly Role[] }
  amountUnit: AmountUnit
  /** Whether the embedded sandbox plays the payments service. */
  embedded: boolean
  /** What the identity provider is called that people can sign in at; null where there is none. */
  sso: string | null
}
