import type { Payout } from '@/lib/operations/payouts.schema'
import { PayoutIds } from './payout-ids'
import { PayoutParties } from './payout-parties'
import { RecentPayouts } from './recent-payouts'
import type { PayoutFacts } from './use-payout-facts'

/** Who stands behind a payout, what went to the same bank account lately, and the record's ids. */
export const PayoutBackground = ({ payout, facts }: { payout: Payout; facts: PayoutFacts }) => (
  <>
    <PayoutParties payout={payout} facts={facts} />
    <RecentPayouts payout={payout} recent={facts.recent} />
    <PayoutIds payout={payout} />
  </>
)
