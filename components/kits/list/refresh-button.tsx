'use client'

import { Button } from '@/components/ui/button'
import { useList } from './list-frame'

/** Reads the list again. */
export function RefreshButton() {
  const { pending, refresh } = useList()
  return (
    <Button size="small" variant="quiet" loading={pending} onClick={refresh}>
      Refresh
    </Button>
  )
}
