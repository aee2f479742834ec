import type { WireError } from '@/lib/errors'
import type { AmountUnit } from '@/lib/money'
import type { Environment, Role } from './define'
import type { Integration } from './integration'

/** `id` is `acct_` and a UUID. */
export type AccountChoice = { id: string; name: string; status: string }

/** `account` null means all accounts. */
export type AccountScopeContext = Pick<PageContext, 'environment' | 'account' | 'needsAccount'>

/** Plain data for every screen. It grants nothing: the server checks each request again. */
export type PageContext = {
  environment: Environment
  environments: readonly Environment[]
  /** The account that the person chose (`?account=`), null for all. Every link keeps it. */
  scope: string | null
  /**
   * The scope, or on a record's own pages the record's account. Without both, the only account of a
   * person who has roles for no other. Null is the whole platform.
   */
  account: string | null
  /** The person must choose an account first: nothing may be read yet. */
  needsAccount: boolean
  /** True if the person has roles for single accounts only. */
  isLimited: boolean
  /** Why the person has no access to the account in the URL; null if they have access. */
  denied: string | null
  /** All that the person may choose if `hasAllAccounts`, else those whose names the page shows. */
  accounts: readonly AccountChoice[]
  hasAllAccounts: boolean
  accountsError: WireError | null
  person: {
    id: string
    name: string
    email: string
    /** Those for the page's account. */
    roles: readonly Role[]
    /** Those for the whole platform. */
    platformRoles: readonly Role[]
    /** Those for any account and for the whole platform. */
    allRoles: readonly Role[]
  }
  amountUnit: AmountUnit
  integration: Integration
  /** True if the embedded sandbox acts as the payments service. */
  embedded: boolean
  /** The name of the identity provider for sign-in; null if there is none. */
  sso: string | null
}
