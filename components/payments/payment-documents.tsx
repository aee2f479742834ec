'use client'

import { lazy, Suspense } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import type { Payment } from '@/lib/domain/payment-kind'
import { sizeText } from '@/lib/domain/size-text'
import type { UploadProofProps } from './upload-proof'

const UploadProof = lazy(() => import('./upload-proof').then((module) => ({ default: module.UploadProof })))

type PaymentDocumentsProps = { payment: Payment; upload: Omit<UploadProofProps, 'payment'> & { open: boolean } }

/** The proofs on file, newest first, and the way to add one. They cannot be read back, so only their names stand here. */
export function PaymentDocuments({ payment, upload }: PaymentDocumentsProps) {
  const { open, ...props } = upload
  return (
    <Panel title="Documents" aside={<span className="text-ink-3 text-xs">{payment.documents.length}</span>}>
      {payment.documents.length === 0 && !open && <p className="text-ink-3">No authorization proof on file.</p>}
      <ul className="grid gap-1">
        {payment.documents.toReversed().map((document) => (
          <li key={document.document_id} className="flex flex-wrap items-baseline gap-x-3">
            <bdi className="min-w-0 break-all font-medium">{document.document_name ?? 'Document without a name'}</bdi>
            <span className="text-ink-3 text-xs">
              {document.document_size != null && `${sizeText(document.document_size)} · `}
              <RelativeTime at={document.uploaded_at} />
            </span>
          </li>
        ))}
      </ul>
      {open && (
        <Suspense fallback={<Skeleton className="mt-3 h-32" />}>
          <UploadProof payment={payment} {...props} />
        </Suspense>
      )}
    </Panel>
  )
}
