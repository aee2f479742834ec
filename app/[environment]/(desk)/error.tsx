'use client'

import { PageError } from '@/components/shell/page-error'

export default function DeskError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError digest={error.digest} onRetry={reset} />
}
