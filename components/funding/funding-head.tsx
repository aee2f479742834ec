'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { OwnerWords, RecordHead } from '@/components/kits/record/record-head'
import type { RecordProps } from '@/components/kits/record/record-panel'
import type { Owner } from '@/components/kits/record/use-owner'
import { dayText } from '@/lib/dates'
import { directionText, fundingTypeText } from '@/lib/domain/funding-words'
import { statusWords } from '@/lib/domain/status'
import { fundingNouns } from './funding-nouns'

type FundingHeadProps = Pick<RecordProps<'funding_events.get'>, 'answer' | 'reading' | 'onRead' | 'onClose'> & { owner: Owner }

/** How much, which way, what about, when, for which account, in which environment; how old this is. */
export function FundingHead({ answer, owner, reading, onRead, onClose }: FundingHeadProps) {
  const { amountUnit } = useDesk()
  const event = answer.data
  return (
    <RecordHead
      nouns={fundingNouns}
      record={event}
      account={owner.account}
      title={
        <>
          <span className="sr-only">Funding event of </span>
          <Amount raw={event.amount} currency="USD" unit={amountUnit} withRaw />
        </>
      }
      status={statusWords('funding_event', event.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      <span className="font-medium text-ink">{directionText(event.direction)}</span>, {lower(fundingTypeText(event.event_type))}
      {event.transfer_date && `, on ${dayText(event.transfer_date)}`}, <OwnerWords owner={owner} />
    </RecordHead>
  )
}

const lower = (text: string) => text.replace(/^./, (first) => first.toLowerCase())
