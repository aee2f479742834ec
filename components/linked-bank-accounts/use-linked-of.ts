'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from '@/components/kits/record/use-fact'

/** All linked bank accounts of one owner: an account by its bare id, or the platform itself; nothing is read while none is chosen. */
export function useLinkedOf(owner: string | 'platform' | undefined) {
  const desk = useDesk()
  const filter = owner === 'platform' ? ({ level: 'platform' } as const) : { account_id: owner }
  return useFact(desk, 'linked_bank_accounts.list', owner ? { ...filter, page_size: 100 } : undefined)
}
