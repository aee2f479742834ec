import { ExternalText } from '@/components/kits/layout/outside-text'

type StatusDetails = {
  reason?: string | undefined
  source?: string | undefined
  code?: string | undefined
  message?: string | undefined
}

/** The service's reason for a status, verbatim. */
export function ProviderReason({ details }: { details: StatusDetails | undefined }) {
  const serviceReasonText = [details?.reason, details?.source, details?.code]
    .filter(Boolean)
    .join(' · ')
  if (serviceReasonText === '' && !details?.message)
    return <p className="text-ink-3 text-xs">The provider gave no reason.</p>
  return (
    <p className="text-ink-3 text-xs">
      Provider said: <span className="font-mono">{serviceReasonText}</span>
      {details?.message && (
        <>
          {' '}
          “<ExternalText className="break-words">{details.message}</ExternalText>”
        </>
      )}
    </p>
  )
}
