'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { useLoadable } from '@/components/kits/record/readings'

/** All linked bank accounts of one owner: an account by its bare id, or the platform itself; nothing is read while none is chosen. */
export function useLinkedOf(owner: string | 'platform' | undefined) {
  const context = usePageContext()
  const filter = owner === 'platform' ? ({ level: 'platform' } as const) : { account_id: owner }
  return useLoadable(context, 'linked_bank_accounts.list', owner ? { ...filter, page_size: 100 } : undefined)
}
