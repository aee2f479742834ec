'use client'

import { BarePage } from '@/components/shell/bare-page'
import { PageError } from '@/components/shell/page-error'

export default function RootError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <BarePage>
      <PageError digest={error.digest} onRetry={reset} />
    </BarePage>
  )
}
