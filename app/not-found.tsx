import type { Metadata } from 'next'
import Link from 'next/link'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { BarePage } from '@/components/shell/bare-page'
import { buttonVariants } from '@/components/ui/button-variants'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <BarePage>
      <EmptyState
        level={1}
        title="Nothing is at this address"
        actions={
          <Link href="/" className={buttonVariants({ variant: 'primary' })}>
            To the desk
          </Link>
        }
      >
        <p>Every page of the desk begins with its environment, like /sandbox/payouts. An environment without a key does not exist here.</p>
      </EmptyState>
    </BarePage>
  )
}
