import type { Metadata } from 'next'
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
          <a href="/" className={buttonVariants({ variant: 'primary' })}>
            To the desk
          </a>
        }
      >
        <p>Every page of the desk begins with its environment, like /sandbox/payouts. An environment without a key does not exist here.</p>
      </EmptyState>
    </BarePage>
  )
}
