import { Panel } from '@/components/kits/layout/panel'
import { ConfirmButton } from '@/components/ui/confirm-button'
import type { PersonDetail } from '@/lib/operations/people'

function formatFactors({ passkeys, totp }: PersonDetail['factors']): string {
  const passkeyTexts =
    passkeys === 0 ? [] : [passkeys === 1 ? 'one passkey' : `${passkeys} passkeys`]
  const factorTexts = [...passkeyTexts, ...(totp ? ['an authenticator app'] : [])]
  return factorTexts.length === 0
    ? 'This person has no second factor.'
    : `This person confirms with ${factorTexts.join(' and ')}.`
}

type PersonFactorsProps = { person: PersonDetail; busy: boolean; onRemove: () => void }

export function PersonFactors({ person: { factors, own }, busy, onRemove }: PersonFactorsProps) {
  const hasAnyFactor = factors.passkeys > 0 || factors.totp
  return (
    <Panel
      title="Second factor"
      aside={
        hasAnyFactor && (
          <ConfirmButton
            size="small"
            loading={busy}
            disabledReason={own ? 'Remove your own on Your profile.' : null}
            title="Remove all factors?"
            text="This ends all sessions of this person and holds their approvals for 24 hours."
            confirm="Remove them"
            onConfirm={onRemove}
          >
            Remove all factors
          </ConfirmButton>
        )
      }
    >
      <p className="text-ink-2 text-sm">
        {formatFactors(factors)}
        {hasAnyFactor &&
          ' Remove them only if they are lost: it ends all sessions and holds approvals of this person for 24 hours.'}
      </p>
    </Panel>
  )
}
