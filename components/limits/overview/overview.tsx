import type { ReactNode } from 'react'
import { Link } from '@/components/kits/layout/link'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { AwaitingApprovalBadge } from '@/components/kits/list/approval-badge'
import { ExportButton } from '@/components/kits/list/filters/tools'
import { buildUnfilteredExport, type ListExport } from '@/components/kits/list/list-export'
import { ShareBar } from '@/components/limits/share-bar'
import { cn } from '@/components/ui/cn'
import { StatusBadge } from '@/components/ui/tone'
import {
  formatLimitValue,
  limitedPaymentTypes,
  limitWords,
  paymentTypeNouns,
} from '@/lib/domain/limit-labels'
import { type Forecast, formatForecast } from '@/lib/features/limits/forecast'
import {
  type LimitRequestView,
  limitRequestLabels,
  staleAfterBankingDays,
  toComparisonText,
} from '@/lib/features/limits/tracking'
import { formatSharePercent, getShareTone, type Headroom } from '@/lib/features/limits/usage'

type OpenLimitRequestItem = { request: LimitRequestView; name: string; href: string }

/** A request for other limits that was made in the provider's dashboard and not in Paydesk. */
type ProviderDashboardRequest = {
  id: string
  name: string
  href: string
  line: string
  since: string | null
}

export const OpenLimitRequestList = ({ open }: { open: readonly OpenLimitRequestItem[] }) => (
  <ul className="grid gap-2">
    {open.map(({ request, name, href }) => {
      const requestStateLabel = limitRequestLabels[request.tracking.state]
      return (
        <li
          key={request.id}
          className="group relative grid gap-1 rounded border border-line bg-surface px-3 py-2 hover:bg-sunken"
        >
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link
              href={href}
              className="font-medium after:absolute after:inset-0 group-hover:underline"
            >
              <ExternalText>{name}</ExternalText>, {paymentTypeNouns[request.type].many}
            </Link>
            <StatusBadge tone={requestStateLabel.tone}>{requestStateLabel.label}</StatusBadge>
            <span className="text-ink-3 text-xs">
              <PersonName own={request.own} name={request.asked_by} />,{' '}
              <RelativeTime at={request.created_at} />
              {request.tracking.isOpen &&
                `, day ${request.tracking.bankingDays} of ${staleAfterBankingDays} (business days)`}
            </span>
          </p>
          <p className="text-ink-2">{request.tracking.limits.map(toComparisonText).join('; ')}</p>
        </li>
      )
    })}
  </ul>
)

/** Lists requests that were made outside Paydesk, which therefore does not know who made them. */
export const ProviderDashboardRequestList = ({
  others,
}: {
  others: readonly ProviderDashboardRequest[]
}) => (
  <ul aria-label="Requested in the provider’s dashboard" className="grid gap-2">
    {others.map(({ id, name, href, line, since }) => (
      <li
        key={id}
        className="group relative grid gap-1 rounded border border-line bg-surface px-3 py-2 hover:bg-sunken"
      >
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={href}
            className="font-medium after:absolute after:inset-0 group-hover:underline"
          >
            <ExternalText>{name}</ExternalText>
          </Link>
          <span className="text-ink-3 text-xs">
            requested in the provider’s dashboard
            {since && (
              <>
                , <RelativeTime at={since} />
              </>
            )}
          </span>
        </p>
        <p className="text-ink-2">{line}</p>
      </li>
    ))}
  </ul>
)

/**
 * The used share of an account's limits for one payment type. `forecast` is when the monthly
 * amount will be used up. `maximum` is the limit of one payment. `atLeast`: some payments could not
 * be read, so more may be used.
 */
type PaymentTypeUsage = {
  rooms: readonly Headroom[]
  forecast: Forecast
  maximum: number | undefined
  atLeast: boolean
}

/** An account in the overview. A payment type whose usage could not be read has an error text. */
type AccountLimitUsage = {
  id: string
  name: string
  href: string
  types: Record<'charges' | 'payouts', PaymentTypeUsage | { error: string }>
  /** A request of other limits awaits the approval of a second person. */
  awaitsApproval: boolean
}

export const AccountLimitUsageRow = ({ line }: { line: AccountLimitUsage }) => (
  <li className="group relative grid gap-2 rounded border border-line bg-surface p-3 hover:bg-sunken">
    <h3 className="flex items-center gap-2 font-semibold text-sm">
      <Link href={line.href} className="after:absolute after:inset-0 group-hover:underline">
        <ExternalText>{line.name}</ExternalText>
      </Link>
      {line.awaitsApproval && <AwaitingApprovalBadge />}
    </h3>
    <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {limitedPaymentTypes.map((type) => (
        <PaymentTypeUsageSection
          key={type}
          title={paymentTypeNouns[type].title}
          room={line.types[type]}
        />
      ))}
    </div>
  </li>
)

function PaymentTypeUsageSection({
  title,
  room,
}: {
  title: string
  room: PaymentTypeUsage | { error: string }
}) {
  if ('error' in room) {
    return (
      <div className="grid content-start gap-1">
        <h4 className="text-ink-3 text-xs">{title}</h4>
        <p className="text-held">Usage could not be read: {room.error}</p>
      </div>
    )
  }
  return (
    <div className="grid content-start gap-1">
      <h4 className="flex justify-between gap-2 text-ink-3 text-xs">
        {title}
        <span className="tabular-nums">
          up to {formatLimitValue('max_amount', room.maximum)} per payment
        </span>
      </h4>
      <ul className="grid gap-1">
        {room.rooms.map((each) => (
          <HeadroomRow key={each.name} room={each} atLeast={room.atLeast} />
        ))}
      </ul>
      <p className="text-ink-3 text-xs">{formatForecast(room.forecast)}</p>
    </div>
  )
}

function HeadroomRow({
  room: { name, used, limit, share },
  atLeast,
}: {
  room: Headroom
  atLeast: boolean
}) {
  const tone = getShareTone(share)
  return (
    <li className="grid grid-cols-[8rem_minmax(2rem,1fr)_13.5rem] items-center gap-2 text-xs max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-y-1">
      <span className="text-ink-2">{limitWords[name].label}</span>
      <ShareBar share={share} className="group-hover:bg-bg max-lg:order-last max-lg:col-span-2" />
      <span
        className={cn(
          'text-right tabular-nums',
          tone === 'bad' && 'font-medium text-bad',
          tone === 'held' && 'font-medium text-held',
        )}
      >
        {atLeast && 'at least '}
        {formatLimitValue(name, used)}{' '}
        {share === null
          ? '(no limit stated)'
          : `of ${formatLimitValue(name, limit)}, ${formatSharePercent(share)}`}
      </span>
    </li>
  )
}

type OverviewProps = { environment: string; requests: ReactNode; accounts: ReactNode }

export const LimitsOverview = ({ environment, requests, accounts }: OverviewProps) => (
  <div className={pageClasses.wide}>
    <PageHeader
      title="Limits"
      meta={
        <>
          USD, in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>; usage
          is our own estimate from the payments that Paydesk has read
        </>
      }
    />
    <section aria-label="Open requests" className="grid gap-2">
      <OverviewHeading
        title="Open requests"
        exported={buildUnfilteredExport(
          'limit_requests',
          'open limit request',
          'open limit requests',
          null,
        )}
      />
      {requests}
    </section>
    <section aria-label="Accounts" className="grid gap-2">
      <OverviewHeading
        title="Active accounts, highest usage first"
        exported={buildUnfilteredExport('limits', 'limit', 'limits', null)}
      />
      {accounts}
    </section>
  </div>
)

const OverviewHeading = ({ title, exported }: { title: string; exported: ListExport }) => (
  <div className="flex flex-wrap items-center justify-between gap-2">
    <h2 className="font-semibold text-base">{title}</h2>
    <ExportButton exported={exported} />
  </div>
)
