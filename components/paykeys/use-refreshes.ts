'use client'

import type { Outcome } from '@/components/kits/action/outcome'
import { balanceCame, reviewCame } from '@/lib/domain/paykey-refresh'
import { useRefresh } from './use-refresh'

type Options = { id: string; account: string | null; correlationId: string; onOutcome: (outcome: Outcome | null) => void }

/** The two things of a paykey that the service can be asked for anew. */
export function useRefreshes(options: Options) {
  return {
    balance: useRefresh({ ...options, operation: 'paykeys.refresh_balance', came: balanceCame }),
    review: useRefresh({ ...options, operation: 'paykeys.refresh_review', came: reviewCame }),
  }
}
