import { ExternalText } from '@/components/kits/layout/outside-text'
import { formatReason } from '@/lib/domain/reasons'
import { describeStatusSource } from '@/lib/domain/source-text'

type StatusDetails = {
  reason?: string | undefined
  source?: string | undefined
  code?: string | undefined
  message?: string | undefined
}

/** `source: watchtower, the provider’s risk engine`, or only the source if that is not the cause. */
function formatSource(source: string, reason: string | undefined): string {
  const sourceText = describeStatusSource(source)
  const isCreator = describeStatusSource(source, reason) !== sourceText
  return isCreator || sourceText === source
    ? `source: ${source}`
    : `source: ${source}, ${sourceText}`
}

/** The service's reason for a status, verbatim. A reason from Paydesk has its label for the code. */
export function ProviderReason({ details }: { details: StatusDetails | undefined }) {
  const { reason, source, code, message } = details ?? {}
  const originText = [source && formatSource(source, reason), code && `code: ${code}`]
    .filter(Boolean)
    .join(', ')
  const bracketedOrigin = originText === '' ? '' : ` (${originText})`
  if (!reason && !message)
    return <p className="text-ink-3 text-xs">The provider gave no reason{bracketedOrigin}.</p>
  return (
    <p className="text-ink-3 text-xs">
      Provider’s reason: {reason && <span className="font-mono">{reason}</span>}
      {reason && message && ' '}
      {message && (
        <>
          “<ExternalText className="break-words">{formatReason(message)}</ExternalText>”
        </>
      )}
      {bracketedOrigin}
    </p>
  )
}
