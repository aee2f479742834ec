import type { Owner } from '@/components/kits/record/use-owner'
import type { Customer } from '@/lib/operations/customers.schema'
import { CustomerLinks } from './customer-links'
import { CustomerRecord } from './customer-record'
import { PrivacyPanel } from './privacy-panel'
import type { CustomerFacts } from './use-customer-facts'

type CustomerBackgroundProps = { customer: Customer; owner: Owner; facts: CustomerFacts }

/** What belongs to a customer besides the evidence: payments, bank accounts, who it is, the record, and the way to its deletion. */
export const CustomerBackground = ({ customer, owner, facts }: CustomerBackgroundProps) => (
  <>
    <CustomerLinks id={customer.id} account={owner.account} facts={facts} />
    <CustomerRecord customer={customer} owner={owner} />
    <PrivacyPanel customer={customer} owner={owner} />
  </>
)
