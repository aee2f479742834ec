'use client'

import { lazy, type ReactNode, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Outcome } from '@/components/kits/action/outcome'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Panel } from '@/components/kits/layout/panel'
import { AgeChip } from '@/components/kits/layout/relative-time'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallAnswer } from '@/lib/client/call'
import {
  formatLimitValue,
  type LimitedPaymentType,
  type LimitName,
  type LimitSet,
  limitWords,
  paymentTypeNouns,
  toLimitSet,
} from '@/lib/domain/limit-labels'
import { forecastLimit, formatForecast } from '@/lib/features/limits/forecast'
import type { LimitUse, LimitUses } from '@/lib/features/limits/tracking'
import {
  formatSharePercent,
  getShareTone,
  type Headroom,
  type LimitUsage,
  toHeadrooms,
} from '@/lib/features/limits/usage'
import type { AccountSettings } from '@/lib/operations/accounts.schema'
import type { AccountScope } from './limit-reads'
import { ShareBar } from './share-bar'

/** If not all payments were read, the text states "at least". */
function HeadroomBar({ room, atLeast }: { room: Headroom; atLeast: boolean }) {
  const { name, used, limit, left, share } = room
  const atLeastText = atLeast ? 'at least ' : ''
  if (share === null || left === null)
    return (
      <p className="text-ink-2 text-xs">
        {atLeastText}
        {formatLimitValue(name, used)} used; no such limit
      </p>
    )
  const tone = getShareTone(share)
  const remainingText =
    left < 0
      ? `${formatLimitValue(name, -left)} over`
      : `${atLeast ? 'at most ' : ''}${formatLimitValue(name, left)} left`
  return (
    <div className="grid gap-1">
      <ShareBar share={share} />
      <p
        className={cn(
          'text-xs',
          tone === 'good'
            ? 'text-ink-2'
            : tone === 'held'
              ? 'font-medium text-held'
              : 'font-medium text-bad',
        )}
      >
        {atLeastText}
        {formatLimitValue(name, used)} used of {formatLimitValue(name, limit)} (
        {formatSharePercent(share)}), {remainingText}
      </p>
    </div>
  )
}

type LimitLinesProps = { limits: LimitSet; usage: LimitUsage | null }

/** Shows each limit and how much of it is used. Without `usage`, shows only the limits. */
function LimitLines({ limits, usage }: LimitLinesProps) {
  const headrooms = usage ? toHeadrooms(usage, limits) : []
  const findHeadroom = (name: LimitName) => headrooms.find((room) => room.name === name)
  return (
    <ul className="grid">
      <LimitLine name="max_amount" limits={limits} />
      <LimitLine name="daily_amount" limits={limits}>
        <HeadroomDetails room={findHeadroom('daily_amount')} usage={usage} />
      </LimitLine>
      <LimitLine name="monthly_amount" limits={limits}>
        <HeadroomDetails room={findHeadroom('monthly_amount')} usage={usage} forecast="amount" />
      </LimitLine>
      <LimitLine name="monthly_count" limits={limits}>
        <HeadroomDetails room={findHeadroom('monthly_count')} usage={usage} forecast="count" />
      </LimitLine>
    </ul>
  )
}

const LimitLine = ({
  name,
  limits,
  children,
}: {
  name: LimitName
  limits: LimitSet
  children?: ReactNode
}) => (
  <li className="grid gap-1 border-line border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
    <p className="flex items-baseline justify-between gap-3">
      <span className="text-ink-2">{limitWords[name].label}</span>
      <span className="font-medium tabular-nums">{formatLimitValue(name, limits[name])}</span>
    </p>
    {children}
  </li>
)

type HeadroomProps = {
  room: Headroom | undefined
  usage: LimitUsage | null
  forecast?: 'amount' | 'count'
}

function HeadroomDetails({ room, usage, forecast }: HeadroomProps) {
  if (!room || !usage) return null
  return (
    <>
      <HeadroomBar room={room} atLeast={usage.atLeast} />
      {forecast && (
        <p className="text-ink-3 text-xs">
          {formatForecast(forecastLimit(usage, room.limit, forecast))}
        </p>
      )}
    </>
  )
}

/** Milliseconds after which the age of a usage figure is highlighted. */
const limitUseStaleAfterMs = 5 * 60_000

function LimitUseNote({ use }: { use: LimitUse }) {
  if (!use.ok)
    return (
      <ErrorNotice
        what="Usage could not be read; only the limits are shown"
        error={use.error}
        requestId={use.requestId}
      />
    )
  const { unreadable, atLeast } = use.usage
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-ink-3 text-xs">
      Usage: our own estimate by payment date in New York,{' '}
      <AgeChip at={use.readAt} limit={limitUseStaleAfterMs} what="calculated" />
      {atLeast && unreadable === 0 && (
        <span className="font-medium text-held">Not all payments are included.</span>
      )}
      {unreadable > 0 && (
        <span className="font-medium text-held">{unreadable} amounts could not be read.</span>
      )}
    </p>
  )
}

const LimitForm = lazy(() =>
  import('@/components/limits/request/form').then((module) => ({ default: module.LimitForm })),
)

type LimitPanelProps = {
  type: LimitedPaymentType
  scope: AccountScope
  name: string
  settings: CallAnswer<AccountSettings>
  uses: LimitUses | null
  /** The reason no request can be made now; null if one can. */
  disabledReason: string | null
  open: boolean
  onOpen: (type: LimitedPaymentType | null) => void
  correlationId: string
  onOutcome: (outcome: Outcome | null) => void
}

export function LimitPanel({
  type,
  scope,
  name,
  settings,
  uses,
  disabledReason,
  open,
  onOpen,
  ...form
}: LimitPanelProps) {
  const currentLimits = toLimitSet(settings.data[type])
  const limitUse = uses?.[type] ?? null
  const requestButton = useRef<HTMLButtonElement>(null)
  const closeForm = () => {
    flushSync(() => onOpen(null))
    requestButton.current?.focus()
  }
  return (
    <Panel
      title={paymentTypeNouns[type].title}
      aside={
        !open && (
          <Button
            ref={requestButton}
            size="small"
            disabledReason={disabledReason}
            onClick={() => onOpen(type)}
            className="print:hidden"
          >
            Request limit change…
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {disabledReason && !open && (
          <p className="text-ink-3 text-xs">No request possible: {disabledReason}</p>
        )}
        {limitUse && <LimitUseNote use={limitUse} />}
        {!uses && <p className="text-ink-3 text-xs">Calculating usage…</p>}
        <LimitLines limits={currentLimits} usage={limitUse?.ok ? limitUse.usage : null} />
        {open && (
          <Boundary fallback={<Skeleton className="h-96" />}>
            <LimitForm
              {...form}
              type={type}
              scope={scope}
              name={name}
              settings={settings}
              usage={limitUse?.ok ? limitUse.usage : null}
              disabledReason={disabledReason}
              onBack={closeForm}
            />
          </Boundary>
        )}
      </div>
    </Panel>
  )
}
