'use client'

import { useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Button } from '@/components/ui/button'
// Not lazy: without a connection, the viewer must still open and say so.
import { DocumentViewer, type ViewedDocument } from './viewer'

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
      {isOpen && <DocumentViewer {...viewedDocument} onClose={() => setOpen(false)} />}
    </>
  )
}
