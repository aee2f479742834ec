'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Button } from '@/components/ui/button'
import type { ViewedDocument } from './viewer'

const importViewer = () => import('./viewer')
const DocumentViewer = lazy(() =>
  importViewer().then((module) => ({ default: module.DocumentViewer })),
)

export function ViewDocumentButton(viewedDocument: ViewedDocument) {
  const [isOpen, setOpen] = useState(false)
  // Loaded before it is needed: without a connection, the viewer must still open and say so.
  useEffect(() => {
    importViewer().catch(() => {})
  }, [])
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        View
        <span className="sr-only">
          {' '}
          <ExternalText>{viewedDocument.name}</ExternalText>
        </span>
      </Button>
      {isOpen && (
        <Suspense>
          <DocumentViewer {...viewedDocument} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
