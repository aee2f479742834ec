'use client'

import { useRefresh } from './use-refresh'

/** Refreshes a server-rendered page after a change of one of the resources. */
export function FollowChanges({ resources }: { resources: readonly string[] }) {
  useRefresh(resources.map((resource) => ({ resource })))
  return null
}
