'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallAnswer } from '@/lib/client/call'
import { formatLimitValue, limitNames, limitWords } from '@/lib/domain/limit-labels'
import { findOwnValue } from '@/lib/domain/service-words'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { countServiceRows, findTotalRowCount } from '@/lib/operations/list-count'

const capabilityTypeLabels: Readonly<Record<string, string>> = {
  charges: 'Charges',
  payouts: 'Payouts',
  individuals: 'Individual customers',
  businesses: 'Business customers',
  signed_agreement: 'Consent by signed agreement',
  internet: 'Consent over the internet',
}

/** All capability requests of the account at the service, including those made outside Paydesk. */
export function CapabilityList({
  found,
}: {
  found: UseQueryResult<CallAnswer<CapabilityRequest[]>>
}) {
  const pageSize = 50
  const totalRequestCount = found.data ? findTotalRowCount(found.data, { size: pageSize }) : 0
  const returnedRowCount = found.data ? countServiceRows(found.data) : 0
  return (
    <Panel
      title="Capability requests of the service"
      aside={
        totalRequestCount !== null &&
        totalRequestCount > 0 && <span className="text-ink-3 text-xs">{totalRequestCount}</span>
      }
    >
      {found.isPending && <Skeleton className="h-24" />}
      {found.error && (
        <ErrorNotice
          what="The capability requests could not be read"
          error={found.error.toWire()}
          requestId={found.error.requestId}
          actions={
            <Button size="small" onClick={() => void found.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {found.data && returnedRowCount === 0 && (
        <p className="text-ink-2">No capability requests for this account yet.</p>
      )}
      {found.data && (
        <ul aria-label="Capability requests" className="grid">
          {found.data.data.map((request) => (
            <CapabilityRequestLine key={request.id} request={request} />
          ))}
        </ul>
      )}
      <UnreadableRows rows={found.data?.meta.unreadable_rows ?? []} one="capability request" />
      {(totalRequestCount === null || totalRequestCount > returnedRowCount) && (
        <p className="text-ink-3 text-xs">The newest {returnedRowCount} are shown.</p>
      )}
    </Panel>
  )
}

const formatRequestedLimits = ({ settings }: CapabilityRequest) =>
  limitNames
    .flatMap((name) =>
      settings[name] === undefined
        ? []
        : [`${limitWords[name].label.toLowerCase()} ${formatLimitValue(name, settings[name])}`],
    )
    .join(', ')

const formatOnOff = (isOn: boolean | undefined): string =>
  isOn === undefined ? 'not readable' : isOn ? 'on' : 'off'

const CapabilityRequestLine = ({ request }: { request: CapabilityRequest }) => (
  <li className="grid gap-0.5 border-line border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
    <p className="flex flex-wrap items-center gap-x-2">
      <span className="font-medium">
        {findOwnValue(capabilityTypeLabels, request.type) ?? (request.type || 'Type not readable')}:{' '}
        {formatOnOff(request.enable)}
      </span>
      <RecordStatusBadge kind="capability_request" status={request.status} />
      <span className="text-ink-3 text-xs">
        <RelativeTime at={request.created_at} />
      </span>
    </p>
    {formatRequestedLimits(request) && (
      <p className="text-ink-2">{formatRequestedLimits(request)}</p>
    )}
  </li>
)
