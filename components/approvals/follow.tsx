'use client'

import { useRefresh } from '@/components/kits/layout/use-refresh'

/** Keeps the list of requests as it is now. */
export function FollowRequests() {
  useRefresh([{ resource: 'actions' }])
  return null
}
