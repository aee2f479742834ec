'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useSideRead } from '@/components/kits/record/side-reads'

/**
 * Reads the linked bank accounts of an account (id without `acct_`) or of the platform. For
 * undefined, no request is sent.
 */
export function useLinkedBankAccounts(ownerId: string | 'platform' | undefined) {
  const context = usePageContext()
  const filter = ownerId === 'platform' ? ({ level: 'platform' } as const) : { account_id: ownerId }
  return useSideRead(
    context,
    'linked_bank_accounts.list',
    ownerId ? { ...filter, page_size: 100 } : undefined,
  )
}
