'use client'

import { ExternalText } from '@/components/kits/layout/outside-text'
import { Button } from '@/components/ui/button'
import type { Payment } from '@/lib/domain/payment-kind'
import { formatAuthorization } from '@/lib/domain/timeline'
import { matchUploadActions } from '@/lib/features/payments/proof-documents'
import type { ActionView } from '@/lib/operations/answer'
import { countFilesLeft, type UploadDraft } from './use-payment-actions'

type DocumentProofProps = {
  id: string
  documents: Payment['documents']
  actions: readonly ActionView[]
}

/** The details entered at the upload. Nothing if the document was not uploaded in Paydesk. */
export function DocumentProof({ id, documents, actions }: DocumentProofProps) {
  const proof = matchUploadActions(documents, actions).get(id)?.proof
  return proof ? (
    <ExternalText className="basis-full break-words text-ink-2 text-sm">
      {formatAuthorization(proof)}
    </ExternalText>
  ) : null
}

const scrollIntoView = (line: HTMLElement | null) => void line?.scrollIntoView({ block: 'nearest' })

export function UnfinishedUpload({ draft, onOpen }: { draft: UploadDraft; onOpen: () => void }) {
  const filesLeftCount = countFilesLeft(draft)
  return (
    <p
      ref={scrollIntoView}
      className="mt-3 flex scroll-my-20 flex-wrap items-center gap-2"
      role="status"
    >
      {filesLeftCount === 1 ? '1 file you chose is' : `${filesLeftCount} files you chose are`} not
      uploaded yet.
      <Button size="small" onClick={onOpen}>
        Continue upload
      </Button>
    </p>
  )
}
