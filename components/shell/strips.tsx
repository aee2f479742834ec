'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { offlineReason, useNow, useOnline } from '@/components/kits/layout/browser-state'
import { useConnectionStatus } from '@/components/kits/layout/connection-status'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences, useZone } from '@/components/kits/layout/preferences-context'
import { formatFullTime } from '@/components/kits/layout/relative-time'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { parseRecordUrl } from '@/components/shell/palette/recent-records'
import { Boundary } from '@/components/ui/boundary'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { type Tone, ToneIcon, toneClasses } from '@/components/ui/tone'
import { getScopeName } from '@/lib/client/page-context'
import { retryFailedNavigations, retryPages } from '@/lib/client/page-retries'
import { useQueueCounts } from '@/lib/client/query/queue-counts'
import { MirrorText } from './mirror-text'

export function PrintHeader() {
  const context = usePageContext()
  const { environment, account, person } = context
  const record = parseRecordUrl(usePathname(), useSearchParams())
  const zone = useZone()
  const { preferences } = usePreferences()
  const printedAt = usePrintedAt()
  return (
    <div className="mb-4 hidden gap-x-6 gap-y-1 border-ink border-b pb-2 text-xs print:grid print:grid-cols-[auto_1fr]">
      <p className="font-semibold text-base">Paydesk · {environment.toUpperCase()}</p>
      <p className="text-right">
        Printed {formatFullTime(printedAt, zone, preferences)} by{' '}
        <ExternalText>{person.name}</ExternalText>
      </p>
      <p>
        Account: <ExternalText>{getScopeName(context, account)}</ExternalText>
      </p>
      <p className="text-right font-mono">{record?.id}</p>
    </div>
  )
}

/**
 * Returns the time when printing started, in epoch milliseconds. While the page is not printed, it
 * returns the current time.
 */
function usePrintedAt(): number {
  const now = useNow()
  const [printed, setPrinted] = useState<number | null>(null)
  // `flushSync` renders at once, because the browser lays out the printed page directly after this
  // event.
  useWindowEvent('beforeprint', () => flushSync(() => setPrinted(Date.now())))
  useWindowEvent('afterprint', () => setPrinted(null))
  return printed ?? now
}

const MessageStrip = ({
  tone,
  urgent = false,
  children,
}: {
  tone: Tone
  urgent?: boolean
  children: ReactNode
}) => (
  <div
    role={urgent ? 'alert' : 'status'}
    data-tone={tone}
    className={cn(
      'flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5 font-medium text-sm',
      toneClasses[tone],
    )}
  >
    <ToneIcon tone={tone} className="size-4" />
    {children}
  </div>
)

const loadSessionParts = () =>
  import('./session-parts').then((module) => module.sessionEndComponents)
const IdleWarning = lazy(() => loadSessionParts().then((parts) => ({ default: parts.IdleWarning })))

/**
 * Milliseconds after the page load until the remaining time of the session is read. A session that
 * was just used does not end sooner.
 */
const sessionWatchDelayMs = 60_000

const SessionForm = lazy(() => loadSessionParts().then((parts) => ({ default: parts.SessionForm })))

export function ShellStrips() {
  const context = usePageContext()
  const { environment } = context
  const isOnline = useOnline()
  useEffect(retryFailedNavigations, [])
  const [isWatching, setIsWatching] = useState(false)
  useTimeout(() => setIsWatching(true), sessionWatchDelayMs)
  const mirrorState = useQueueCounts(context)?.mirror
  const { keyRefused, signedOut, otherPerson, unreachable } = useConnectionStatus()
  return (
    <>
      {!isOnline && (
        <MessageStrip tone="held">
          {offlineReason} The data on screen may be out of date.
          {unreachable && ' The requested page opens when the connection is back.'}
        </MessageStrip>
      )}
      {isOnline && unreachable && (
        <MessageStrip tone="held">
          The server cannot be reached. The data on screen may be out of date. The requested page
          opens when the server answers.
          <button type="button" onClick={retryPages} className={buttonVariants({ size: 'small' })}>
            Try again
          </button>
        </MessageStrip>
      )}
      {keyRefused.includes(environment) && (
        <MessageStrip tone="bad" urgent>
          <span>
            The payments service rejected our API key for{' '}
            <strong className="font-semibold">{environment.toUpperCase()}</strong>. An admin must
            replace it; nothing can be read or sent until then. You stay signed in.
          </span>
        </MessageStrip>
      )}
      {mirrorState && (
        <MessageStrip tone={mirrorState.importing && !mirrorState.paused ? 'moving' : 'held'}>
          <MirrorText state={mirrorState} />
        </MessageStrip>
      )}
      {isWatching && !signedOut && (
        <Boundary>
          <IdleWarning />
        </Boundary>
      )}
      {otherPerson !== null && (
        <MessageStrip tone="held" urgent>
          <span>
            You are signed in as{' '}
            <ExternalText className="font-semibold">{otherPerson}</ExternalText> now. Nothing was
            sent from this page.
          </span>
          <button
            type="button"
            onClick={() => location.reload()}
            className={buttonVariants({ size: 'small' })}
          >
            Reload to continue as <ExternalText>{otherPerson}</ExternalText>
          </button>
        </MessageStrip>
      )}
      {signedOut && <SessionStrip />}
    </>
  )
}

function SessionStrip() {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <>
      <MessageStrip tone="held" urgent>
        Your session has ended. Your entries are kept, and nothing was sent.
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(true)}
          className={buttonVariants({ size: 'small' })}
        >
          Sign in again
        </button>
      </MessageStrip>
      {isExpanded && (
        <div className="max-w-sm px-4 py-3">
          <Boundary>
            <SessionForm />
          </Boundary>
        </div>
      )}
    </>
  )
}
