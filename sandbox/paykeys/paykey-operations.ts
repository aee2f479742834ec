import type { Operation } from '@/sandbox/operation'
import { cancelPaykey, decidePaykey, unblockPaykey } from './change-paykeys'
import { listPaykeys } from './list-paykeys'
import { getPaykey, revealPaykey, reviewPaykey, unmaskPaykey } from './read-paykeys'
import { refreshBalance, refreshReview } from './refresh-paykeys'

/** Paykey operations; paykeys are created through the bridge. */
export const paykeyOperations: readonly Operation[] = [
  listPaykeys,
  getPaykey,
  unmaskPaykey,
  revealPaykey,
  reviewPaykey,
  decidePaykey,
  refreshReview,
  refreshBalance,
  cancelPaykey,
  unblockPaykey,
]
