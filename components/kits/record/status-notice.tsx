import type { ReactNode } from 'react'
import { Notice } from '@/components/ui/notice'
import { getAccountReasonText } from '@/lib/domain/account-labels'
import { getStatusWords } from '@/lib/domain/status'
import { ProviderReason } from './provider-reason'

type StatusNoticeProps = {
  kind: 'representative' | 'linked_bank_account'
  status: string
  detail:
    | {
        reason?: string | undefined
        source?: string | undefined
        code?: string | undefined
        message?: string | undefined
      }
    | undefined
  /** The next step, and the person or company responsible for it. */
  children?: ReactNode
}

/**
 * A notice of the verification status and its reason. A stuck verification has the held tone,
 * because a person must act.
 */
export function StatusNotice({ kind, status, detail, children }: StatusNoticeProps) {
  const { label, tone, meaning } = getStatusWords(kind, status)
  const reason = getAccountReasonText(detail?.reason)
  const isStuck = status === 'onboarding' && detail?.reason === 'stuck'
  const titleDetail =
    reason === '' || reason.toLowerCase() === label.toLowerCase() ? meaning : reason
  return (
    <Notice
      tone={isStuck ? 'held' : tone}
      title={<span className="text-base">{`${label}: ${titleDetail}`}</span>}
    >
      {children ?? (titleDetail === meaning ? null : <p>{meaning}</p>)}
      <ProviderReason details={detail} />
    </Notice>
  )
}
