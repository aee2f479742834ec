'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useRelatedRead } from '@/components/kits/record/side-reads'

/** `ownerId` is an account id without `acct_`. If it is undefined, no request is sent. */
export function useLinkedBankAccounts(ownerId: string | 'platform' | undefined) {
  const context = usePageContext()
  const filter = ownerId === 'platform' ? ({ level: 'platform' } as const) : { account_id: ownerId }
  return useRelatedRead(
    context,
    'linked_bank_accounts.list',
    ownerId ? { ...filter, page_size: 100 } : undefined,
  )
}
