'use client'

import { lazy, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import type { ViewedDocument } from './viewer'

const DocumentViewer = lazy(() =>
  import('./viewer').then((module) => ({ default: module.DocumentViewer })),
)

export function ViewDocumentButton(viewedDocument: ViewedDocument) {
  const [isOpen, setOpen] = useState(false)
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
        <Boundary fallback={null}>
          <DocumentViewer {...viewedDocument} onClose={() => setOpen(false)} />
        </Boundary>
      )}
    </>
  )
}
