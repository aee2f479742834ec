'use client'

import { catchError, type ErrorInfo } from 'next/error'
import { type ReactNode, Suspense } from 'react'
import { Button } from './button'

/** Returns whether an error means that a script did not arrive. The bundler's runtime names such an error so. */
export const isNotLoaded = (cause: unknown): boolean => cause instanceof Error && cause.name === 'ChunkLoadError'

/** Stands in place of a part or a page whose script did not arrive: the connection was lost, or Paydesk was updated. */
export const NotLoaded = ({ part, onClose }: { part: 'part' | 'page'; onClose?: (() => void) | undefined }) => (
  <div role="status" className="flex flex-wrap items-center gap-2 p-3 text-ink-2 text-sm">
    <p>This {part} could not be loaded. If you typed something and did not send it, copy it before you reload.</p>
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

type Closable = { /** Closes what the part is in. */ onClose?: (() => void) | undefined }

function Failed({ onClose }: Closable, { error }: ErrorInfo) {
  if (!isNotLoaded(error)) throw error
  return <NotLoaded part="part" onClose={onClose} />
}

const LoadBoundary = catchError(Failed)

type BoundaryProps = Closable & { fallback?: ReactNode; children: ReactNode }

/** Holds a part whose script or data arrives after the page: `fallback` until then, and a way to reload if the script does not arrive. */
export const Boundary = ({ fallback, onClose, children }: BoundaryProps) => (
  <LoadBoundary onClose={onClose}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </LoadBoundary>
)
