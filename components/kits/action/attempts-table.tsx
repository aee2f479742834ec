import { RelativeTime } from '@/components/kits/layout/relative-time'
import { CopyButton } from '@/components/ui/copy-button'
import type { ActionView, AttemptView } from '@/lib/operations/answer'

const formatAttemptResult = (attempt: AttemptView) => {
  if (attempt.replayed) return `${attempt.status} replayed`
  if (attempt.status !== null) return String(attempt.status)
  return attempt.fault ?? (attempt.ended_at === null ? 'running' : 'no answer')
}

/** All attempts send the same bytes under the same idempotency key. */
export function AttemptsTable({ action }: { action: ActionView }) {
  return (
    <details className="text-xs">
      <summary className="w-fit text-ink-2">
        Technical details (
        {action.attempts.length === 1 ? '1 attempt' : `${action.attempts.length} attempts`})
      </summary>
      <div className="mt-1 overflow-x-auto">
        <table className="w-full">
          <caption className="sr-only">Attempts of this action</caption>
          <thead className="text-ink-3">
            <tr>
              <th scope="col" className="pr-3 text-left font-medium">
                #
              </th>
              <th scope="col" className="pr-3 text-left font-medium">
                Started
              </th>
              <th scope="col" className="pr-3 text-left font-medium">
                Answer
              </th>
              <th scope="col" className="text-left font-medium">
                Request ID
              </th>
            </tr>
          </thead>
          <tbody>
            {action.attempts.map((attempt) => (
              <tr key={attempt.number}>
                <td className="pr-3">{attempt.number}</td>
                <td className="whitespace-nowrap pr-3">
                  <RelativeTime at={attempt.started_at} show="whole" />
                </td>
                <td className="pr-3">{formatAttemptResult(attempt)}</td>
                <td className="break-all font-mono text-2xs">
                  {attempt.api_request_id ?? attempt.request_id}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <CopyButton text={formatActionForSupport(action)} what="all IDs">
        Copy all IDs
      </CopyButton>
    </details>
  )
}

/** Ids for the provider's support. The text contains no amounts, names or secrets. */
export function formatActionForSupport(action: ActionView): string {
  const attemptLines = action.attempts.map((attempt) =>
    `attempt ${attempt.number}: ${attempt.request_id} ${attempt.api_request_id ?? ''}`.trim(),
  )
  const actionIdLines = [
    `operation: ${action.operation}`,
    `target: ${action.target ?? ''}`,
    `idempotency key: ${action.idempotency_key}`,
  ]
  return [...actionIdLines, `correlation ID: ${action.correlation_id}`, ...attemptLines].join('\n')
}
