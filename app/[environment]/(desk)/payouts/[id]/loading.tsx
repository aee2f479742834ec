import { PayoutSkeleton } from '@/components/payouts/payout-skeleton'

export default PayoutSkeleton
