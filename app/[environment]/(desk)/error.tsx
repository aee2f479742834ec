'use client'

import { isScriptLoadError, NotLoadedNotice } from '@/components/ui/boundary'

type DeskErrorProps = { error: Error & { digest?: string }; retry: () => void }

export default function DeskError({ error, retry }: DeskErrorProps) {
  return isScriptLoadError(error) ? (
    <NotLoadedNotice part="page" />
  ) : (
    <PageError digest={error.digest} onRetry={retry} />
  )
}

/** Next sends the browser no error text, only `digest`: the error's id in the server's log. */
const PageError = ({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) => (
  <div className="grid max-w-xl justify-items-start gap-2 py-8">
    <h1 className="font-semibold text-xl">This page could not be shown</h1>
    <p className="text-base text-ink-2">
      Something failed on our side. Opening this page sent nothing, and anything sent before is in
      the action log.
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
