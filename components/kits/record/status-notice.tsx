import type { ReactNode } from 'react'
import { Notice } from '@/components/ui/notice'
import { reasonText } from '@/lib/domain/account-labels'
import { statusWords } from '@/lib/domain/status'
import { ProviderSaid } from './provider-said'

type StatusNoticeProps = {
  kind: 'representative' | 'linked_bank_account'
  status: string
  detail: { reason?: string | undefined; source?: string | undefined; code?: string | undefined; message?: string | undefined } | undefined
  /** What comes next, and who does it. */
  children?: ReactNode
}

/**
 * In one line the state of something that is verified with its account, and why; what the service said stays beside it, word for word. One that is
 * stuck asks for somebody, so it is drawn as held and not as moving.
 */
export function StatusNotice({ kind, status, detail, children }: StatusNoticeProps) {
  const { label, tone, meaning } = statusWords(kind, status)
  const why = reasonText(detail?.reason)
  const isStuck = status === 'onboarding' && detail?.reason === 'stuck'
  const says = why === '' || why.toLowerCase() === label.toLowerCase() ? meaning : why
  return (
    <Notice tone={isStuck ? 'held' : tone} title={<span className="text-base">{`${label}: ${says}`}</span>}>
      {children ?? (says === meaning ? null : <p>{meaning}</p>)}
      <ProviderSaid details={detail} />
    </Notice>
  )
}
