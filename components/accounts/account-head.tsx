'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { standingOf } from '@/lib/domain/account-words'
import type { Fact } from '@/lib/domain/fact'
import type { Organization } from '@/lib/operations/organizations.schema'
import { recordPath } from '@/lib/routes'
import { accountNouns } from './account-nouns'
import { scopeOf } from './account-paths'

type AccountHeadProps = Pick<RecordProps<'accounts.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & {
  organization: Fact<Organization>
}

/** Which business, in which state, of which organization, in which environment; how old this is. */
export function AccountHead({ answer, organization, reading, onRead, onClose }: AccountHeadProps) {
  const account = answer.data
  const { environment } = useDesk()
  const profile = account.business_profile
  const legal = profile?.legal_name !== profile?.name ? profile?.legal_name : undefined
  return (
    <RecordHead
      nouns={accountNouns}
      record={account}
      account={scopeOf(account.id)}
      title={<bdi>{profile?.name ?? 'An account without a name'}</bdi>}
      status={standingOf(account)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      {legal && (
        <>
          <bdi>{legal}</bdi>,{' '}
        </>
      )}
      {account.type} in{' '}
      {account.organization_id ? (
        <Link href={recordPath(environment, 'organizations', account.organization_id)} className="font-medium text-ink hover:underline">
          <bdi>{organization.state === 'known' ? organization.value.name : 'its organization'}</bdi>
        </Link>
      ) : (
        'no organization'
      )}{' '}
      in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>
    </RecordHead>
  )
}
