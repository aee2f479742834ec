'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Status } from '@/components/kits/record/status'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallError } from '@/lib/client/call-error'
import type { CallAnswer } from '@/lib/client/request'
import { limitText, limitWords } from '@/lib/domain/limit-words'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { limitNames } from '@/lib/operations/enumerations'

const typeLabels: Readonly<Record<string, string>> = {
  charges: 'Charges',
  payouts: 'Payouts',
  individuals: 'Individuals as customers',
  businesses: 'Businesses as customers',
  signed_agreement: 'Consent by signed agreement',
  internet: 'Consent over the internet',
}

/** Everything the service was asked for this account, whoever asked and wherever; what the service says of each. */
export function CapabilityList({ found }: { found: UseQueryResult<CallAnswer<CapabilityRequest[]>, CallError> }) {
  const total = found.data?.meta.total_items ?? 0
  return (
    <Panel title="Capability requests of the service" aside={total > 0 && <span className="text-ink-3 text-xs">{total}</span>}>
      {found.isPending && <Skeleton className="h-24" />}
      {found.error && (
        <ErrorNotice
          what="The capability requests could not be read"
          error={found.error.toWire()}
          requestId={found.error.requestId}
          actions={
            <Button size="small" onClick={() => void found.refetch()}>
              Read again
            </Button>
          }
        />
      )}
      {found.data && found.data.data.length === 0 && <p className="text-ink-2">Nothing was asked of the service for this account yet.</p>}
      {found.data && (
        <ul aria-label="Capability requests" className="grid">
          {found.data.data.map((request) => (
            <Line key={request.id} request={request} />
          ))}
        </ul>
      )}
      {found.data && total > found.data.data.length && <p className="text-ink-3 text-xs">The newest {found.data.data.length} are shown.</p>}
    </Panel>
  )
}

const askedText = ({ settings }: CapabilityRequest) =>
  limitNames
    .flatMap((name) => (settings[name] === undefined ? [] : [`${limitWords[name].label.toLowerCase()} ${limitText(name, settings[name])}`]))
    .join(', ')

const Line = ({ request }: { request: CapabilityRequest }) => (
  <li className="grid gap-0.5 border-line border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
    <p className="flex flex-wrap items-center gap-x-2">
      <span className="font-medium">
        {typeLabels[request.type] ?? request.type}: {request.enable ? 'on' : 'off'}
      </span>
      <Status kind="capability_request" status={request.status} />
      <span className="text-ink-3 text-xs">
        <RelativeTime at={request.created_at} />
      </span>
    </p>
    {askedText(request) && <p className="text-ink-2">{askedText(request)}</p>}
  </li>
)
