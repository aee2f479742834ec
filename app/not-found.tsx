import type { Metadata } from 'next'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { BarePage } from '@/components/kits/layout/bare-page'
import { buttonVariants } from '@/components/ui/button-variants'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <BarePage>
      <EmptyState
        level={1}
        title="Page not found"
        actions={
          <a href="/" className={buttonVariants({ variant: 'primary' })}>
            Open Paydesk
          </a>
        }
      >
        <p>
          Page addresses start with an environment, such as /sandbox/payouts. Environments without
          an API key are not available.
        </p>
      </EmptyState>
    </BarePage>
  )
}
