'use client'

import { useRefresh } from '@/components/kits/layout/use-refresh'

export function FollowNotifications() {
  useRefresh([{ resource: 'actions' }, { resource: 'payments' }, { resource: 'paykeys' }, { resource: 'customers' }])
  return null
}
