'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { cn } from '@/components/ui/cn'
import { Popover } from '@/components/ui/popover'
import { ShortId } from '@/components/ui/short-id'
import { accountName } from '@/lib/client/desk'
import type { LoggedCall } from '@/lib/operations/activity'
import { rowOf } from '@/lib/operations/rows'
import { sentText, wrongText } from './call-words'

/** The words of a call as a button; pressed, it tells everything the log keeps of it, with the ids to quote. */
export function CallDetails({ call, className }: { call: LoggedCall; className?: string }) {
  const { does } = rowOf(call.operation)
  return (
    <Popover
      label={`Request to ${does}`}
      panelClassName="w-104 p-3"
      className={cn('min-h-6 truncate rounded-sm text-left font-medium text-ink hover:underline', className)}
      content={() => <Kept call={call} />}
    >
      {does}
    </Popover>
  )
}

function Kept({ call }: { call: LoggedCall }) {
  const desk = useDesk()
  const wrong = wrongText(call)
  return (
    <div className="grid gap-2">
      <Facts className="grid-cols-[auto_minmax(0,1fr)]">
        <Fact name="Asked">
          <RelativeTime at={call.at} /> by <bdi>{call.person}</bdi>
        </Fact>
        <Fact name="Account">{call.account ? <bdi>{accountName(desk, call.account)}</bdi> : 'the whole platform'}</Fact>
        <Fact name="Answer">
          {call.status} after {call.took_ms.toLocaleString('en-US')} ms
          {wrong && <bdi className="block text-ink-2">{wrong}</bdi>}
        </Fact>
        <Fact name="Sent">{sentText(call)}</Fact>
        <Fact name="Request id">
          <ShortId id={call.request_id} what="request id" />
        </Fact>
        <Fact name="Service’s id">
          {call.api_request_id ? <ShortId id={call.api_request_id} what="service’s request id" /> : 'none came'}
        </Fact>
        {call.action_id && (
          <Fact name="Action">
            <ShortId id={call.action_id} what="action id" />
          </Fact>
        )}
      </Facts>
      <p className="text-ink-3 text-xs">What was sent and what came back is never kept.</p>
    </div>
  )
}
