'use client'

import { useQueryClient } from '@tanstack/react-query'
import { ViewDocumentButton } from '@/components/kits/document/view-button'
import { usePageContext } from '@/components/kits/layout/page-context'
import { fetchDocument } from '@/lib/client/document'
import { createResourceFilter, invalidateReads } from '@/lib/client/query/client'
import { missingCopyTexts } from '@/lib/features/payments/labels'
import type { ProofDocument } from '@/lib/operations/documents'
import { toApiRequestParts } from '@/lib/operations/http'

/** Button that opens Paydesk's copy of an uploaded document. Without a copy, shows the reason. */
export function ViewProof({ id, name, copy }: Pick<ProofDocument, 'id' | 'name' | 'copy'>) {
  const { environment } = usePageContext()
  const client = useQueryClient()
  if (copy !== 'kept') return <span className="text-ink-3 text-xs">{missingCopyTexts[copy]}</span>
  const load = async (signal: AbortSignal) => {
    const { url } = toApiRequestParts('documents.read', { id }, { environment })
    const file = await fetchDocument(url, signal)
    // Lists of documents show when the person opened each.
    void invalidateReads(client, createResourceFilter(environment, ['documents']))
    return file
  }
  return <ViewDocumentButton name={name} load={load} />
}
