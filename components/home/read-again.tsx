'use client'

import { useList } from '@/components/kits/list/list-frame'
import { Button } from '@/components/ui/button'

/** Reads the page again, where a part of it failed: what is on the screen stays until the new is there. */
export function ReadAgain({ what }: { what: string }) {
  const { pending, refresh } = useList()
  return (
    <Button size="small" loading={pending} onClick={refresh}>
      Try again
      <span className="sr-only">to read {what}</span>
    </Button>
  )
}
