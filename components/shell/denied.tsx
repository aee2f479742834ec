import { EmptyState } from '@/components/kits/feedback/empty-state'
import { buttonVariants } from '@/components/ui/button-variants'
import { BarePage } from './bare-page'

/** Signed in, but without a grant for this environment: which one is missing, and who can give it. */
export const Denied = ({ environment, detail }: { environment: string; detail: string }) => (
  <BarePage>
    <EmptyState
      tone="held"
      level={1}
      title={`${environment.toUpperCase()} is not open to you`}
      actions={
        // A full load: what was read for one environment is not carried into the next.
        <a href="/" className={buttonVariants()}>
          To the start page
        </a>
      }
    >
      <p>{detail}</p>
      <p>An admin of this desk can give you a grant for it. The attempt was recorded.</p>
    </EmptyState>
  </BarePage>
)
