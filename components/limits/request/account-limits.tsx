'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { useOutcome } from '@/components/kits/action/outcome'
import { useDisabledReasonGetter } from '@/components/kits/action/use-disabled-reason'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { AgeChip } from '@/components/kits/layout/relative-time'
import { useLiveUpdates } from '@/components/kits/layout/use-live-updates'
import { UnreadableFields } from '@/components/kits/unreadable/unreadable-fields'
import { CapabilityList } from '@/components/limits/capability-list'
import { LimitPanel } from '@/components/limits/limit-panel'
import {
  type AccountScope,
  buildCapabilitiesQuery,
  buildLimitRequestsQuery,
  buildLimitUseQuery,
} from '@/components/limits/limit-reads'
import { Boundary } from '@/components/ui/boundary'
import { Skeleton } from '@/components/ui/skeleton'
import type { AnswerMeta } from '@/lib/client/call'
import { createCorrelationId } from '@/lib/client/drafts'
import { getAccountName } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import {
  type LimitedPaymentType,
  limitedPaymentTypes,
  paymentTypeNouns,
} from '@/lib/domain/limit-labels'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { isCapabilityInReview, type LimitRequestView } from '@/lib/features/limits/tracking'
import { getUnreadableFields } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { listPath } from '@/lib/routes'

const LiveAction = lazy(() =>
  import('@/components/kits/action/live-action').then((module) => ({ default: module.LiveAction })),
)
const OutcomePanel = lazy(() =>
  import('@/components/kits/action/outcome-panel').then((module) => ({
    default: module.OutcomePanel,
  })),
)

const LimitRequestList = lazy(() =>
  import('./request-list').then((module) => ({ default: module.LimitRequestList })),
)

type AccountLimitsProps = { account: string; tabs: ReactNode }

function useLimitQueries(scope: AccountScope) {
  const settingsQuery = useQuery(
    operationQuery(scope, 'account_settings.get', { id: scope.account.replace(/^acct_/, '') }),
  )
  const requestsQuery = useQuery(buildLimitRequestsQuery(scope))
  const limitUseQuery = useQuery(buildLimitUseQuery(scope))
  const capabilitiesQuery = useQuery(buildCapabilitiesQuery(scope))
  const allQueries = [settingsQuery, requestsQuery, limitUseQuery, capabilitiesQuery]
  return {
    settings: settingsQuery,
    requests: requestsQuery,
    uses: limitUseQuery,
    capabilities: capabilitiesQuery,
    reading: allQueries.some((each) => each.isFetching),
    again: () => {
      for (const query of allQueries) void query.refetch()
    },
  }
}

function SettingsError({ settings }: Pick<ReturnType<typeof useLimitQueries>, 'settings'>) {
  if (!settings.error) return null
  const settingsFailureText = settings.data
    ? 'The limits could not be refreshed; the last known data is shown'
    : 'The limits could not be read'
  return (
    <ErrorNotice
      what={settingsFailureText}
      error={settings.error.toWire()}
      requestId={settings.error.requestId}
    />
  )
}

type LimitsHeaderProps = {
  accountName: string
  readAt: string | undefined
  reading: boolean
  onRefresh: () => void
}

function LimitsHeader({ accountName, readAt, reading, onRefresh }: LimitsHeaderProps) {
  const context = usePageContext()
  return (
    <PageHeader
      title={
        <>
          Limits of <ExternalText>{accountName}</ExternalText>
        </>
      }
      meta={
        <>
          USD, in{' '}
          <span className="font-semibold text-ink">{context.environment.toUpperCase()}</span>,{' '}
          <AgeChip at={readAt} limit={60_000} what="updated" />
        </>
      }
      actions={<RefreshButton reading={reading} onRefresh={onRefresh} className="print:hidden" />}
      back={{ href: listPath(context, 'accounts', { tab: 'all' }), label: 'All accounts' }}
    />
  )
}

/** Shows the open limit request or, if none is open, the outcome of the last one. */
function LimitRequestOutcome({ state }: { state: ReturnType<typeof useOutcome> }) {
  const { live, outcome, settle, setOutcome, signedIn } = state
  return (
    <Boundary fallback={<Skeleton className="h-24" />}>
      {live && <LiveAction key={live.id} action={live} onSettled={settle} />}
      {!live && outcome && (
        <OutcomePanel outcome={outcome} onSignedIn={signedIn} onDismiss={() => setOutcome(null)} />
      )}
    </Boundary>
  )
}

type LimitRequestsPanelProps = Pick<ReturnType<typeof useLimitQueries>, 'requests'> & {
  onSettled: () => void
}

function LimitRequestsPanel({ requests, onSettled }: LimitRequestsPanelProps) {
  const requestViews = requests.data?.data ?? []
  return (
    <Panel title="Requests from Paydesk">
      {requests.error && (
        <ErrorNotice
          what="The requests could not be read"
          error={requests.error.toWire()}
          requestId={requests.error.requestId}
          className="mb-2"
        />
      )}
      {requests.isPending && <Skeleton className="h-24" />}
      {!requests.isPending && requestViews.length === 0 && (
        <p className="text-ink-2">
          No requests yet. Paydesk tracks each request until the limits are in force.
        </p>
      )}
      {requestViews.length > 0 && (
        <Boundary fallback={<Skeleton className="h-24" />}>
          <LimitRequestList requests={requestViews} onSettled={onSettled} />
        </Boundary>
      )}
    </Panel>
  )
}

export function AccountLimits({ account, tabs }: AccountLimitsProps) {
  const context = usePageContext()
  const scope: AccountScope = { environment: context.environment, account }
  const accountName = getAccountName(context, account)
  const { settings, requests, uses, capabilities, reading, again } = useLimitQueries(scope)
  useLiveUpdates()
  const [openFormType, setOpenFormType] = useState<LimitedPaymentType | null>(null)
  const [correlationId] = useState(createCorrelationId)
  const outcomeState = useOutcome({ actions: [], operation: 'capability_requests.create' })
  const getDisabledReason = useDisabledReasonGetter({ live: outcomeState.live })
  const unreadableReason =
    whyFieldsUnreadable('capability_requests.create', settings.data?.data) ??
    explainUnreadableRequests(capabilities.data)
  const findDisabledReason = (type: LimitedPaymentType) =>
    getDisabledReason(
      'capability_requests.create',
      unreadableReason ??
        findRequestDisabledReason(type, requests.data?.data, capabilities.data?.data),
    )
  return (
    <div className="grid gap-3 pb-4">
      <LimitsHeader
        accountName={accountName}
        readAt={settings.data?.meta.read_at}
        reading={reading}
        onRefresh={again}
      />
      {tabs}
      <LimitRequestOutcome state={outcomeState} />
      <SettingsError settings={settings} />
      <UnreadableFields parts={getUnreadableFields(settings.data?.data)} />
      {settings.isPending && <Skeleton className="h-80" />}
      {settings.data && (
        <div className="grid items-start gap-3 xl:grid-cols-2">
          {limitedPaymentTypes.map((type) => (
            <LimitPanel
              key={type}
              type={type}
              scope={scope}
              name={accountName}
              settings={settings.data}
              uses={uses.data?.data ?? null}
              disabledReason={findDisabledReason(type)}
              open={openFormType === type}
              onOpen={(next) => {
                outcomeState.setOutcome(null)
                setOpenFormType(next)
              }}
              correlationId={correlationId}
              onOutcome={(outcome) => {
                if (outcome && !outcome.error) setOpenFormType(null)
                outcomeState.setOutcome(outcome)
                if (outcome?.error?.code === 'changed') outcomeState.refresh()
              }}
            />
          ))}
        </div>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-2">
        <LimitRequestsPanel requests={requests} onSettled={outcomeState.refresh} />
        <CapabilityList found={capabilities} />
      </div>
    </div>
  )
}

/**
 * Returns why no request can be made if a capability request could not be read: the unreadable one
 * may still be open. Null if all could be read.
 */
const explainUnreadableRequests = (
  capabilities: { meta: AnswerMeta } | undefined,
): string | null =>
  capabilities?.meta.unreadable_rows
    ? 'Not every capability request could be read, so another may be open.'
    : null

/**
 * Returns the reason no limit request can be made, or null. Each payment type can have one open
 * request, because two could conflict.
 */
function findRequestDisabledReason(
  type: LimitedPaymentType,
  requests: readonly LimitRequestView[] | undefined,
  capabilities: readonly CapabilityRequest[] | undefined,
): string | null {
  if (!requests || !capabilities) return 'The existing requests are still loading.'
  const { many } = paymentTypeNouns[type]
  const openRequest = requests.find((request) => request.type === type && request.tracking.isOpen)
  if (openRequest)
    return `${openRequest.own ? 'You' : openRequest.asked_by} already requested a limit change for ${many}.`
  return isCapabilityInReview(capabilities, type)
    ? `The service is already reviewing a request for ${many}, made elsewhere.`
    : null
}
