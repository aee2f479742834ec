'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { statusWords } from '@/lib/domain/status'
import { representativeNouns } from './representative-nouns'

type RepresentativeHeadProps = Pick<RecordProps<'representatives.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & {
  account: string | null
}

/** Who, in which state, as what, for which account, in which environment; how old this is. */
export function RepresentativeHead({ answer, account, reading, onRead, onClose }: RepresentativeHeadProps) {
  const { environment } = useDesk()
  const person = answer.data
  const title = person.relationship?.title
  return (
    <RecordHead
      nouns={representativeNouns}
      record={person}
      account={account}
      title={<bdi>{person.name ?? 'A person without a name'}</bdi>}
      status={statusWords('representative', person.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      {title ? <bdi>{title}</bdi> : 'representative'}{' '}
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
