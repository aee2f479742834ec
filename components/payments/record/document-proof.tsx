'use client'

import { useQuery } from '@tanstack/react-query'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { ViewProof } from '@/components/payments/documents/view-proof'
import { Button } from '@/components/ui/button'
import { actionsQuery } from '@/lib/client/query/reads'
import type { Payment } from '@/lib/domain/payment-kind'
import { formatAuthorization } from '@/lib/domain/timeline'
import { uploadedElsewhereText } from '@/lib/features/payments/labels'
import { matchUploadActions } from '@/lib/features/payments/proof-documents'
import { countFilesLeft, type UploadDraft } from './use-payment-actions'

type DocumentProofProps = {
  id: string
  documents: Payment['documents']
  /** The payment, such as `payouts/<uuid>`. */
  target: string
}

/** The copy of a document, and the details entered at its upload. */
export function DocumentProof({ id, documents, target }: DocumentProofProps) {
  const { data } = useQuery(actionsQuery(usePageContext(), target))
  if (!data) return null
  const upload = matchUploadActions(documents, data.data).get(id)
  if (!upload?.file) return <span className="text-ink-3 text-xs">{uploadedElsewhereText}</span>
  return (
    <>
      <ViewProof id={upload.id} name={upload.file.name} copy={upload.file.copy} />
      {upload.proof && (
        <ExternalText className="basis-full break-words text-ink-2 text-sm">
          {formatAuthorization(upload.proof)}
        </ExternalText>
      )}
    </>
  )
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
