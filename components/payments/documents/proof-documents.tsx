'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { operationQuery } from '@/lib/client/query/reads'
import { formatAuthorization } from '@/lib/domain/timeline'
import { formatFileSize } from '@/lib/formats'
import { type ProofDocument, resourcesWithDocuments } from '@/lib/operations/documents'
import { ViewProof } from './view-proof'

function ProofDocumentItem({ document }: { document: ProofDocument }) {
  const { name, size, uploaded_by, uploaded_at, proof, copy, opened_at } = document
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <ExternalText className="min-w-0 break-all font-medium">{name}</ExternalText>
      <span className="text-ink-3 text-xs">
        {formatFileSize(size)} · uploaded by <ExternalText>{uploaded_by}</ExternalText>{' '}
        <RelativeTime at={uploaded_at} />
      </span>
      <ViewProof {...document} />
      {copy === 'kept' && (
        <span className="text-ink-2 text-xs">
          {opened_at ? (
            <>
              You opened it <RelativeTime at={opened_at} />
            </>
          ) : (
            'You have not opened it yet'
          )}
        </span>
      )}
      {proof && (
        <ExternalText className="basis-full break-words text-ink-2 text-sm">
          {formatAuthorization(proof)}
        </ExternalText>
      )}
    </li>
  )
}

/**
 * The authorization proofs of a payment (`payouts/<uuid>`) that were uploaded through Paydesk, and
 * whether the signed-in person opened each. Renders nothing if the target is no payment.
 */
export function ProofDocuments({ payment }: { payment: string | null }) {
  const [resourceName, record = ''] = payment?.split('/') ?? []
  const resource = resourcesWithDocuments.find((each) => each === resourceName)
  return resource ? <ProofDocumentsPanel resource={resource} record={record} /> : null
}

type ProofDocumentsPanelProps = {
  resource: (typeof resourcesWithDocuments)[number]
  record: string
}

function ProofDocumentsPanel({ resource, record }: ProofDocumentsPanelProps) {
  const { environment } = usePageContext()
  const { data, error, refetch } = useQuery(
    operationQuery({ environment, account: null }, 'documents.list', { resource, record }),
  )
  const documents = data?.data
  return (
    <Panel
      title="Authorization proofs"
      aside={<span className="text-ink-3 text-xs">{documents?.length ?? ''}</span>}
    >
      {error && !documents && (
        <ErrorNotice
          what="The documents could not be read"
          error={error.toWire()}
          requestId={error.requestId}
          actions={
            <Button size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!documents && !error && <Skeleton className="h-8" />}
      {documents?.length === 0 && (
        <p className="text-ink-3">No authorization proof was uploaded in Paydesk.</p>
      )}
      <ul className="grid gap-2">
        {documents?.map((document) => (
          <ProofDocumentItem key={document.id} document={document} />
        ))}
      </ul>
    </Panel>
  )
}
