'use client'

import { useMemo } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { ReadTrouble } from '@/components/kits/record/read-trouble'
import type { RecordProps } from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { useOwner } from '@/components/kits/record/use-owner'
import { cn } from '@/components/ui/cn'
import { fundingSum, fundingVerdict } from '@/lib/domain/funding-sum'
import { FundingHead } from './funding-head'
import { fundingNouns } from './funding-nouns'
import { FundingPayments } from './funding-payments'
import { FundingRecord } from './funding-record'
import { FundingStanding } from './funding-standing'
import { FundingVerdictNotice } from './funding-verdict-notice'
import { useFundingLines } from './use-funding-lines'

/** One funding event: how much, where it stands, whether its payments add up to it, and each of them. */
export function FundingDetail(props: RecordProps<'funding_events.get'>) {
  const { answer, actions, onClose } = props
  const event = answer.data
  const { amountUnit: unit } = useDesk()
  const owner = useOwner('funding_events', event.id, props.knownAccount, fundingNouns.one)
  const read = useFundingLines(event.id)
  const { lines, total, ended } = read
  const sum = useMemo(() => fundingSum(lines, total, unit), [lines, total, unit])
  const verdict = fundingVerdict(sum, event, { complete: ended, unit })
  return (
    <article className="flex min-h-full flex-col" aria-label="Funding event">
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          <FundingHead {...props} owner={owner} />
          <ReadTrouble one={fundingNouns.one} readError={props.readError} actionsError={props.actionsError} />
          <FundingVerdictNotice verdict={verdict} sum={sum} read={read} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <FundingStanding event={event} />
          <RecordTimeline history={event.status_history} actions={actions} />
        </div>
        <FundingRecord event={event} />
        <div className="min-w-0 xl:col-span-full">
          <FundingPayments lines={lines} sum={sum} ended={ended} account={owner.account} />
        </div>
      </div>
    </article>
  )
}
