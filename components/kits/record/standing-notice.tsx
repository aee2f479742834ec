import type { ReactNode } from 'react'
import { Notice } from '@/components/ui/notice'
import { reasonText } from '@/lib/domain/account-words'
import { statusWords } from '@/lib/domain/status'

type StandingNoticeProps = {
  kind: 'representative' | 'linked_bank_account'
  status: string
  detail: { reason?: string | undefined; source?: string | undefined; code?: string | undefined; message?: string | undefined } | undefined
  /** What comes next, and who does it. */
  children?: ReactNode
}

/**
 * In one line where something that is verified with its account stands and why; what the service said stays beside it, word for word. One that is
 * stuck asks for somebody, so it is drawn as held and not as moving.
 */
export function StandingNotice({ kind, status, detail, children }: StandingNoticeProps) {
  const { label, tone, meaning } = statusWords(kind, status)
  const why = reasonText(detail?.reason)
  const said = [detail?.reason, detail?.source, detail?.code].filter(Boolean).join(' · ')
  const isStuck = status === 'onboarding' && detail?.reason === 'stuck'
  const says = why === '' || why.toLowerCase() === label.toLowerCase() ? meaning : why
  return (
    <Notice tone={isStuck ? 'held' : tone} title={<span className="text-base">{`${label}: ${says}`}</span>}>
      {children ?? (says === meaning ? null : <p>{meaning}</p>)}
      <p className="text-ink-3 text-xs">
        {said === '' && !detail?.message ? (
          'The provider gave no reason.'
        ) : (
          <>
            Provider said: <span className="font-mono">{said}</span>{' '}
            {detail?.message && (
              <>
                “<bdi className="break-words">{detail.message}</bdi>”
              </>
            )}
          </>
        )}
      </p>
    </Notice>
  )
}
