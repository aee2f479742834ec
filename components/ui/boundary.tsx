'use client'

import { catchError, type ErrorInfo } from 'next/error'
import { type ReactNode, Suspense } from 'react'
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

type Closable = { /** Closes the panel around the component. */ onClose?: (() => void) | undefined }

function LoadErrorFallback({ onClose }: Closable, { error }: ErrorInfo) {
  if (!isScriptLoadError(error)) throw error
  return <NotLoadedNotice part="part" onClose={onClose} />
}

const LoadBoundary = catchError(LoadErrorFallback)

type BoundaryProps = Closable & { fallback?: ReactNode; children: ReactNode }

/** Shows `fallback` while its children load, and a reload button if their script fails to load. */
export const Boundary = ({ fallback, onClose, children }: BoundaryProps) => (
  <LoadBoundary onClose={onClose}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </LoadBoundary>
)
