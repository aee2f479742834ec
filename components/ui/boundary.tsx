'use client'

import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Button } from './button'

/** True if the error means that a script failed to load. The bundler sets this error name. */
export const isScriptLoadError = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'ChunkLoadError'

/** Replaces a part whose script failed to load: a lost connection or a new version of Paydesk. */
export const NotLoadedNotice = ({
  part,
  onClose,
}: {
  part: 'part' | 'page'
  onClose?: (() => void) | undefined
}) => (
  <div role="status" className="flex flex-wrap items-center gap-2 p-3 text-ink-2 text-sm">
    <p>
      This {part} could not be loaded. If you typed something and did not send it, copy it before
      you reload.
    </p>
    <Button size="small" onClick={() => location.reload()}>
      Reload page
    </Button>
    {onClose && (
      <Button size="small" variant="quiet" onClick={onClose}>
        Close
      </Button>
    )}
  </div>
)

type BoundaryProps = {
  fallback?: ReactNode
  /** Closes the panel around the component. */
  onClose?: (() => void) | undefined
  children: ReactNode
}

/** Shows `fallback` while its children load, and a reload button if their script fails to load. */
export const Boundary = ({ fallback, onClose, children }: BoundaryProps) => (
  <ErrorBoundary
    fallbackRender={({ error }) => {
      if (!isScriptLoadError(error)) throw error
      return <NotLoadedNotice part="part" onClose={onClose} />
    }}
  >
    <Suspense fallback={fallback}>{children}</Suspense>
  </ErrorBoundary>
)
