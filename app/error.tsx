'use client'

import { BarePage } from '@/components/shell/bare-page'
import { PageError } from '@/components/shell/page-error'

export default function RootError({ error }: { error: Error & { digest?: string } }) {
  return (
    <BarePage>
      <PageError digest={error.digest} onRetry={() => location.reload()} />
    </BarePage>
  )
}
