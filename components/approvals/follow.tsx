'use client'

import { useRefresh } from '@/components/kits/layout/use-refresh'

export function FollowRequests() {
  useRefresh([{ resource: 'actions' }])
  return null
}
