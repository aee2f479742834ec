import { parseTime } from '@/lib/dates'
import type { Payment } from '@/lib/domain/payment-kind'
import type { ActionView } from '@/lib/operations/answer'

type ProofDocument = Payment['documents'][number]

/** Maximum difference between the service's clock and ours. */
const maxClockDifferenceMs = 5 * 60_000

/** Characters that could end the name in its multipart header become `_`. */
const toSentFileName = (name: string): string => name.replace(/[\r\n"\\]/g, '_')

/** Milliseconds from the end of the upload; null if the document is not from that upload. */
function getUploadDelay(
  document: ProofDocument,
  { file, attempts, created_at, settled_at }: ActionView,
): number | null {
  const [documentTime, startTime, endTime] = [
    parseTime(document.uploaded_at),
    parseTime(attempts[0]?.started_at ?? created_at),
    parseTime(settled_at),
  ]
  if (!file || documentTime === null || startTime === null || endTime === null) return null
  if (
    document.document_name !== toSentFileName(file.name) ||
    (document.document_size ?? file.size) !== file.size
  )
    return null
  return documentTime < startTime - maxClockDifferenceMs ||
    documentTime > endTime + maxClockDifferenceMs
    ? null
    : Math.abs(endTime - documentTime)
}

/**
 * The service does not say which request uploaded a document. Therefore the name and size must be
 * equal, and the pairs with the nearest times are matched first.
 */
export function matchUploadActions(
  documents: readonly ProofDocument[],
  actions: readonly ActionView[],
): ReadonlyMap<string, ActionView> {
  const candidatePairs = documents.flatMap((document) =>
    actions.flatMap((action) => {
      const uploadDelay = action.state === 'applied' ? getUploadDelay(document, action) : null
      return uploadDelay === null ? [] : [{ document, action, far: uploadDelay }]
    }),
  )
  const actionByDocumentId = new Map<string, ActionView>()
  const matchedActions = new Set<ActionView>()
  for (const { document, action } of candidatePairs.sort((one, other) => one.far - other.far)) {
    if (actionByDocumentId.has(document.document_id) || matchedActions.has(action)) continue
    actionByDocumentId.set(document.document_id, action)
    matchedActions.add(action)
  }
  return actionByDocumentId
}
