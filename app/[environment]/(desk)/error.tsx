'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { PageError } from '@/components/shell/page-error'

export default function DeskError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const router = useRouter()
  // The page is drawn by the server: it has to be asked again before the boundary is opened.
  const retry = () =>
    startTransition(() => {
      router.refresh()
      reset()
    })
  return <PageError digest={error.digest} onRetry={retry} />
}
