'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'

/** A page that could not be drawn. The text of the error stays on the server; its digest finds it in the log. */
export function PageError({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) {
  const router = useRouter()
  const retry = () =>
    startTransition(() => {
      router.refresh()
      onRetry()
    })
  return (
    <EmptyState
      tone="bad"
      level={1}
      title="This page could not be drawn"
      actions={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>Something failed on our side. Nothing was sent by opening this page, and anything sent before is in the action book.</p>
      {digest && (
        <p className="flex items-center gap-1 text-ink-3 text-xs">
          Reference <code className="font-mono">{digest}</code> <CopyButton text={digest} what="reference" />
        </p>
      )}
    </EmptyState>
  )
}
