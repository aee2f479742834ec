'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { useFact } from './use-fact'

/**
 * Why what belongs to an account cannot be revealed: the service shows it only where the account's settings allow it. Null where they do, where
 * they could not be read (then the service itself says no), and for what belongs to the platform.
 */
export function useUnmaskClosed(accountId: string | undefined): string | null {
  const desk = useDesk()
  const { fact } = useFact(desk, 'account_settings.get', accountId ? { id: accountId } : undefined, '')
  const allowed = fact.state === 'known' ? fact.value.configuration?.allow_data_unmask : undefined
  return allowed === false ? 'The settings of its account do not allow it: allow_data_unmask is off. The provider can switch it on.' : null
}
