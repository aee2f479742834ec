import { Notice } from '@/components/ui/notice'
import { standingOf } from '@/lib/domain/account-words'
import type { Account } from '@/lib/operations/accounts.schema'

const nextStep: Readonly<Record<string, string>> = {
  created: 'Complete the checklist, then hand it to verification.',
  onboarding: 'Nothing to do: the service decides. It tells here what it still needs.',
  rejected: 'The service does not take it again; ask its compliance what would be needed.',
  inactive: 'It takes no new customers or payments.',
}

/** In one line where the account stands and why, and what comes next; what the service said stays beside it, word for word. */
export function AccountVerdict({ account }: { account: Account }) {
  const { label, tone, meaning, why, said } = standingOf(account)
  const detail = account.status_detail
  const raw = [detail?.reason, detail?.source, detail?.code].filter(Boolean).join(' · ')
  const stuck = account.status === 'onboarding' && detail?.reason === 'stuck'
  return (
    <Notice tone={tone} title={<span className="text-base">{why ? `${label}: ${why}` : `${label}: ${meaning}`}</span>}>
      {stuck ? (
        <p>Give the service what it asks for below; linked bank accounts can be corrected now.</p>
      ) : (
        <p>{nextStep[account.status] ?? meaning}</p>
      )}
      <p className="text-ink-3 text-xs">
        {raw === '' && !said ? (
          'The provider gave no reason.'
        ) : (
          <>
            Provider said: <span className="font-mono">{raw}</span>{' '}
            {said && (
              <>
                “<bdi className="break-words">{said}</bdi>”
              </>
            )}
          </>
        )}
      </p>
    </Notice>
  )
}
