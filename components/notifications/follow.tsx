'use client'

import { useRefresh } from '@/components/kits/layout/use-refresh'

/** Keeps the list as it is now. */
export function FollowNotifications() {
  useRefresh([{ resource: 'actions' }, { resource: 'payments' }, { resource: 'paykeys' }, { resource: 'customers' }])
  return null
}
