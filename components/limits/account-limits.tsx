'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { LiveAction } from '@/components/kits/action/live-action'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { useDesk } from '@/components/kits/layout/desk-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { accountName } from '@/lib/client/desk'
import { newCorrelationId } from '@/lib/client/keys'
import { read } from '@/lib/client/queries'
import { QueryProvider } from '@/lib/client/query-provider'
import type { CallAnswer } from '@/lib/client/request'
import { timeOf } from '@/lib/dates'
import type { LimitRequestView, LimitUses } from '@/lib/domain/limit-request'
import { isLookedAt } from '@/lib/domain/limit-tracking'
import { type LimitType, limitTypes, typeWords } from '@/lib/domain/limit-words'
import type { AccountSettings } from '@/lib/operations/account-settings.schema'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { CapabilityList } from './capability-list'
import { LimitPanel } from './limit-panel'
import { type AccountScope, readLimitRequests, readLimitUse } from './limit-reads'
import { RequestList } from './request-list'

const OutcomePanel = lazy(() => import('@/components/kits/action/outcome-panel').then((module) => ({ default: module.OutcomePanel })))

/** What the server read for the first view; what it could not read the browser asks for itself. */
export type LimitsInitial = {
  settings?: CallAnswer<AccountSettings>
  requests?: CallAnswer<LimitRequestView[]>
  uses?: CallAnswer<LimitUses>
}

type AccountLimitsProps = { account: string; tabs: ReactNode; initial: LimitsInitial }

/** The limits of an account: what is in force and used of it, the request for others, and what became of earlier ones. */
export const AccountLimits = (props: AccountLimitsProps) => (
  <QueryProvider>
    <Limits {...props} />
  </QueryProvider>
)

const first = <T,>(answer: CallAnswer<T> | undefined) => ({
  initialData: answer,
  initialDataUpdatedAt: timeOf(answer?.meta.read_at) ?? undefined,
})

function useLimits(scope: AccountScope, initial: LimitsInitial) {
  const settings = useQuery({
    ...read(scope, 'account_settings.get', { id: scope.account.replace(/^acct_/, '') }),
    ...first(initial.settings),
  })
  const requests = useQuery({ ...readLimitRequests(scope), ...first(initial.requests) })
  const uses = useQuery({ ...readLimitUse(scope), ...first(initial.uses) })
  const capabilities = useQuery(read(scope, 'capability_requests.list', { page_size: 50, sort_by: 'created_at', sort_order: 'desc' }))
  const all = [settings, requests, uses, capabilities]
  return {
    settings,
    requests,
    uses,
    capabilities,
    reading: all.some((each) => each.isFetching),
    again: () => {
      for (const each of all) void each.refetch()
    },
  }
}

function Limits({ account, tabs, initial }: AccountLimitsProps) {
  const desk = useDesk()
  const scope: AccountScope = { environment: desk.environment, account }
  const name = accountName(desk, account)
  const { settings, requests, uses, capabilities, reading, again } = useLimits(scope, initial)
  const [open, setOpen] = useState<LimitType | null>(null)
  const [correlationId] = useState(newCorrelationId)
  const state = useOutcome({ actions: [], stale: ['capability_requests', 'account_settings', 'accounts'] })
  const closed = useClosed({ live: state.live })
  const kept = requests.data?.data ?? []
  const whyNot = (type: LimitType) => closed('capability_requests.create', whyNotAsk(type, requests.data?.data, capabilities.data?.data))
  return (
    <div className="grid gap-3 pb-4">
      <PageHeader
        title={
          <>
            Limits of <bdi>{name}</bdi>
          </>
        }
        meta={
          <>
            USD, in <span className="font-semibold text-ink">{desk.environment.toUpperCase()}</span>,{' '}
            <AgeChip at={settings.data?.meta.read_at} limit={60_000} />
          </>
        }
        actions={
          <Button size="small" loading={reading} onClick={again} className="print:hidden">
            Read again
          </Button>
        }
      />
      {tabs}
      <Suspense fallback={<Skeleton className="h-24" />}>
        {state.live && <LiveAction key={state.live.id} action={state.live} onSettled={state.settle} />}
        {!state.live && state.outcome && (
          <OutcomePanel outcome={state.outcome} onSignedIn={state.signedIn} onDismiss={() => state.setOutcome(null)} />
        )}
      </Suspense>
      {settings.error && (
        <ErrorNotice
          what={settings.data ? 'The limits could not be read again; below is the last reading' : 'The limits could not be read'}
          error={settings.error.toWire()}
          requestId={settings.error.requestId}
        />
      )}
      {settings.isPending && <Skeleton className="h-80" />}
      {settings.data && (
        <div className="grid items-start gap-3 xl:grid-cols-2">
          {limitTypes.map((type) => (
            <LimitPanel
              key={type}
              type={type}
              scope={scope}
              name={name}
              settings={settings.data}
              uses={uses.data?.data ?? null}
              closed={whyNot(type)}
              open={open === type}
              onOpen={(next) => {
                state.setOutcome(null)
                setOpen(next)
              }}
              correlationId={correlationId}
              onOutcome={(outcome) => {
                if (outcome && !outcome.error) setOpen(null)
                state.setOutcome(outcome)
                if (outcome?.error?.code === 'changed') state.refresh()
              }}
            />
          ))}
        </div>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-2">
        <Panel title="Requests from Paydesk">
          {requests.error && (
            <ErrorNotice
              what="The requests could not be read"
              error={requests.error.toWire()}
              requestId={requests.error.requestId}
              className="mb-2"
            />
          )}
          {requests.isPending ? <Skeleton className="h-24" /> : <RequestList requests={kept} onSettled={state.refresh} />}
        </Panel>
        <CapabilityList found={capabilities} />
      </div>
    </div>
  )
}

/** One request at a time for each payment type: compliance would otherwise decide on two wishes. */
function whyNotAsk(
  type: LimitType,
  requests: readonly LimitRequestView[] | undefined,
  capabilities: readonly CapabilityRequest[] | undefined,
): string | null {
  if (!requests || !capabilities) return 'The requests there are have not been read yet.'
  const { many } = typeWords[type]
  const open = requests.find((request) => request.type === type && request.tracking.isOpen)
  if (open) return `${open.own ? 'You' : open.asked_by} asked for other limits of ${many} already, and that is still open.`
  return isLookedAt(capabilities, type) ? `The service looks at a request for ${many} already, which was not made from here.` : null
}
