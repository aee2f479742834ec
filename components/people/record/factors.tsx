import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import type { PersonDetail } from '@/lib/operations/people'

function factorsText({ passkeys, totp }: PersonDetail['factors']): string {
  const keys = passkeys === 0 ? [] : [passkeys === 1 ? 'one passkey' : `${passkeys} passkeys`]
  const all = [...keys, ...(totp ? ['an authenticator app'] : [])]
  return all.length === 0 ? 'This person has no second factor.' : `This person confirms with ${all.join(' and ')}.`
}

type Props = { person: PersonDetail; busy: boolean; onRemove: () => void }

/** A person's second factors, with a button that removes them if they are lost. */
export function PersonFactors({ person: { factors, own }, busy, onRemove }: Props) {
  const hasAny = factors.passkeys > 0 || factors.totp
  return (
    <Panel
      title="Second factor"
      aside={
        hasAny && (
          <Button size="small" loading={busy} disabledReason={own ? 'Remove your own on Your profile.' : null} onClick={onRemove}>
            Remove all factors
          </Button>
        )
      }
    >
      <p className="text-ink-2 text-sm">
        {factorsText(factors)}
        {hasAny && ' Remove them only if they are lost: it ends all sessions and holds approvals of this person for 24 hours.'}
      </p>
    </Panel>
  )
}
