'use client'

import { useRouter } from 'next/navigation'
import { lazy, startTransition } from 'react'
import { isNotLoaded } from '@/components/kits/layout/lazy-part'
import { Boundary } from '@/components/ui/boundary'

// Is here by now: it comes with every page, see `lazy-part`.
const NotLoaded = lazy(() => import('@/components/kits/layout/stand-in').then((module) => ({ default: module.NotLoaded })))

export default function DeskError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const router = useRouter()
  const retry = () => {
    // The router would hand over to the browser's own error page.
    if (!navigator.onLine) return
    // The page is drawn by the server: it has to be asked again before the boundary is opened.
    startTransition(() => {
      router.refresh()
      reset()
    })
  }
  if (!isNotLoaded(error)) return <PageError digest={error.digest} onRetry={retry} />
  return (
    <Boundary>
      <NotLoaded part="page" cause={error} onRetry={retry} />
    </Boundary>
  )
}

/**
 * A page that could not be drawn. The text of the error stays on the server; its digest finds it in the log. Every page of the desk carries this
 * in its script, so it is plain markup and imports nothing.
 */
const PageError = ({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) => (
  <div className="grid max-w-xl justify-items-start gap-2 px-3 py-8">
    <h1 className="font-semibold text-lg">This page could not be shown</h1>
    <p className="text-base text-ink-2">
      Something failed on our side. Opening this page sent nothing, and anything sent before is in the action log.
    </p>
    {digest && (
      <p className="text-ink-3 text-xs">
        Reference <code className="select-all font-mono">{digest}</code>
      </p>
    )}
    <button
      type="button"
      onClick={onRetry}
      className="mt-2 h-control rounded-sm bg-accent px-3 font-medium text-accent-on text-sm transition-tint hover:bg-accent-hover"
    >
      Try again
    </button>
  </div>
)
