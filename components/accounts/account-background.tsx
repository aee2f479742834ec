import type { Account } from '@/lib/operations/accounts.schema'
import { AccountProfile, AccountTerms } from './account-profile'
import { AccountRecord } from './account-record'
import { AccountSettings } from './account-settings'
import type { AccountFacts } from './use-account-facts'

/** Who the business is, how it is set up, and the record's ids. */
export const AccountBackground = ({ account, facts }: { account: Account; facts: AccountFacts }) => (
  <>
    <AccountProfile account={account} />
    <AccountTerms account={account} />
    <AccountSettings id={account.id} facts={facts} />
    <AccountRecord account={account} />
  </>
)
