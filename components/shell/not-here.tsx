'use client'

import Link from 'next/link'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { useDesk } from '@/components/kits/layout/desk-context'
import { buttonVariants } from '@/components/ui/button-variants'
import { homePath } from '@/lib/routes'

/** Inside the frame: no such page, or an id that is none. */
export function NotHere() {
  const { environment, account } = useDesk()
  return (
    <EmptyState
      level={1}
      title="Nothing is at this address"
      actions={
        <Link href={homePath(environment, { account })} className={buttonVariants({ variant: 'primary' })}>
          Home
        </Link>
      }
    >
      <p>The address may be cut short, or the id in it is not one. An id can be pasted into the box above.</p>
    </EmptyState>
  )
}
