'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { statusWords } from '@/lib/domain/status'
import { linkedNouns } from './linked-nouns'

type LinkedHeadProps = Pick<RecordProps<'linked_bank_accounts.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & {
  account: string | null
}

/** Which bank account, in which state, in whose name, for which account, in which environment; how old this is. */
export function LinkedHead({ answer, account, reading, onRead, onClose }: LinkedHeadProps) {
  const { environment } = useDesk()
  const linked = answer.data
  const bank = linked.bank_account
  return (
    <RecordHead
      nouns={linkedNouns}
      record={linked}
      account={account}
      title={
        <>
          <bdi>{bank?.institution_name ?? 'Unknown bank'}</bdi> <bdi className="font-normal text-ink-2">{bank?.account_mask}</bdi>
        </>
      }
      status={statusWords('linked_bank_account', linked.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      in the name of <bdi className="font-medium text-ink">{bank?.account_holder ?? 'somebody unknown'}</bdi>,{' '}
      {account === null ? (
        <>
          of the platform itself in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>
        </>
      ) : (
        <OwnerWords owner={{ account, why: null }} />
      )}
    </RecordHead>
  )
}
