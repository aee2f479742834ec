import { parseTime } from '@/lib/dates'
import type { Payment } from '@/lib/domain/payment-kind'
import type { ActionView } from '@/lib/operations/answer'

type ProofDocument = Payment['documents'][number]

/** Maximum difference between the service's clock and ours (milliseconds). */
const maxClockDifferenceMs = 5 * 60_000

/** Returns a file name as it is sent: characters that would end the name in the form data are replaced. */
const toSentName = (name: string): string => name.replace(/[\r\n"\\]/g, '_')

/** Returns the milliseconds between the end of an upload and a document's time; null if the document is not from that upload. */
function getUploadDelay(document: ProofDocument, { file, attempts, created_at, settled_at }: ActionView): number | null {
  const [documentTime, startTime, endTime] = [
    parseTime(document.uploaded_at),
    parseTime(attempts[0]?.started_at ?? created_at),
    parseTime(settled_at),
  ]
  if (!file || documentTime === null || startTime === null || endTime === null) return null
  if (document.document_name !== toSentName(file.name) || (document.document_size ?? file.size) !== file.size) return null
  return documentTime < startTime - maxClockDifferenceMs || documentTime > endTime + maxClockDifferenceMs
    ? null
    : Math.abs(endTime - documentTime)
}

/**
 * Returns the actions that uploaded documents, by document id. The service does not return the action, so name, size and time are compared,
 * the nearest time first. A document that was uploaded outside Paydesk has no action.
 */
export function matchUploadActions(documents: readonly ProofDocument[], actions: readonly ActionView[]): ReadonlyMap<string, ActionView> {
  const pairs = documents.flatMap((document) =>
    actions.flatMap((action) => {
      const uploadDelay = action.state === 'applied' ? getUploadDelay(document, action) : null
      return uploadDelay === null ? [] : [{ document, action, far: uploadDelay }]
    }),
  )
  const actionByDocument = new Map<string, ActionView>()
  const matchedActions = new Set<ActionView>()
  for (const { document, action } of pairs.sort((one, other) => one.far - other.far)) {
    if (actionByDocument.has(document.document_id) || matchedActions.has(action)) continue
    actionByDocument.set(document.document_id, action)
    matchedActions.add(action)
  }
  return actionByDocument
}
