import { EmptyState } from '@/components/kits/feedback/empty-state'
import { buttonVariants } from '@/components/ui/button-variants'

/**
 * A page that could not be drawn. The text of the error stays on the server; its digest finds it in the log. Every page carries this, so it is
 * made of little.
 */
export const PageError = ({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) => (
  <EmptyState
    tone="bad"
    level={1}
    title="This page could not be drawn"
    actions={
      <button type="button" onClick={onRetry} className={buttonVariants({ variant: 'primary' })}>
        Try again
      </button>
    }
  >
    <p>Something failed on our side. Nothing was sent by opening this page, and anything sent before is in the action book.</p>
    {digest && (
      <p className="text-ink-3 text-xs">
        Reference <code className="select-all font-mono">{digest}</code>
      </p>
    )}
  </EmptyState>
)
