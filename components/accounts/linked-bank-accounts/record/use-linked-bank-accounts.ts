'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useSideRead } from '@/components/kits/record/side-reads'

/** Reads all linked bank accounts of an owner: an account id without `acct_`, or `platform`. Reads nothing if `owner` is undefined. */
export function useLinkedBankAccounts(owner: string | 'platform' | undefined) {
  const context = usePageContext()
  const filter = owner === 'platform' ? ({ level: 'platform' } as const) : { account_id: owner }
  return useSideRead(context, 'linked_bank_accounts.list', owner ? { ...filter, page_size: 100 } : undefined)
}
