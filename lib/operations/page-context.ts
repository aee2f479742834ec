import type { WireError } from '@/lib/errors'
import type { AmountUnit } from '@/lib/money'
import type { Environment, Role } from './define'

/** An account that the person may choose as the scope of the pages. `id` is `acct_` and a UUID. */
export type AccountChoice = { id: string; name: string; status: string }

/**
 * The environment, and the account to which a list or queue is limited: one account, or all
 * accounts if `account` is null.
 */
export type AccountsInScope = Pick<PageContext, 'environment' | 'account' | 'needsAccount'>

/**
 * The person, environment and scope of a page, as plain data for every screen. It grants nothing:
 * the server checks each request again.
 */
export type PageContext = {
  environment: Environment
  environments: readonly Environment[]
  /**
   * The account in which the person chose to work (`?account=`), null for the whole platform. Every
   * link keeps it.
   */
  scope: string | null
  /**
   * The account in which this part of the screen reads and writes: the scope, or on a record's own
   * pages the account of the record. Null is the whole platform.
   */
  account: string | null
  /**
   * True if the person has no grant for the whole platform and has chosen no account: nothing may
   * be read yet.
   */
  needsAccount: boolean
  /** True if the person has roles for single accounts only. */
  isLimited: boolean
  /**
   * Why the person has no access to the account in the URL and must choose another one; null if
   * they have access.
   */
  denied: string | null
  /**
   * The accounts that the person may choose: all of them if `hasAllAccounts`, otherwise only those
   * whose names the page shows.
   */
  accounts: readonly AccountChoice[]
  hasAllAccounts: boolean
  accountsError: WireError | null
  person: { id: string; name: string; email: string; roles: readonly Role[] }
  amountUnit: AmountUnit
  /** True if the embedded sandbox acts as the payments service. */
  embedded: boolean
  /** The name of the identity provider for sign-in; null if there is none. */
  sso: string | null
}
