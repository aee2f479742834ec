'use client'

import { lazy, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { focusOnMountWithoutScroll } from '@/components/kits/layout/focus'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { Output } from '@/lib/operations/registry'
import { getServiceOperation, type SensitiveOperationId } from '@/lib/operations/service-operations'
import type { RevealForm as Form } from './reveal-form'
import { useRelatedRead } from './side-reads'

/**
 * Returns the reason that an account's data cannot be revealed, if the account's settings forbid
 * it. Null if the settings allow it, for data of the platform, and if the settings could not be
 * read (the service then decides).
 */
export function useUnmaskDisabledReason(accountId: string | undefined): string | null {
  const context = usePageContext()
  const { data } = useRelatedRead(
    context,
    'account_settings.get',
    accountId ? { id: accountId } : undefined,
  )
  const isUnmaskAllowed = data?.configuration?.allow_data_unmask
  return isUnmaskAllowed === false
    ? 'The account settings do not allow reveals: allow_data_unmask is off. The provider can enable reveals.'
    : null
}

// `lazy` loses the form's type parameter; the cast restores it.
const RevealForm = lazy(() =>
  import('./reveal-form').then((module) => ({ default: module.RevealForm })),
) as unknown as typeof Form

/** Milliseconds that revealed values stay visible. */
const revealDurationMs = 60_000

type RevealProps<K extends SensitiveOperationId> = {
  operation: K
  id: string
  /** The record's account. Null if the operation has none or the account is unknown. */
  account: string | null
  /** A name such as "the contact data", for the button's label for screen readers. */
  what: string
  /** Names shown on the page. The form warns if the reason contains one of them. */
  names?: readonly (string | undefined)[]
  /**
   * The record's own reason why its data cannot be revealed, or null. This component itself checks
   * the person's roles and the connection.
   */
  disabledReason?: string | null
  /** The masked value. It is shown while the data is hidden, and always in print. */
  masked: ReactNode
  children: (values: Output<K>) => ReactNode
  className?: string
}

type RevealedValuesState<K extends SensitiveOperationId> = {
  values: Output<K>
  until: number
  left: number | undefined
}

/**
 * A masked value with a button "Reveal…". A reveal requires a reason, is counted and recorded, and
 * shows the values for a minute. The values exist only in this component's state: not in the cache,
 * a draft or print.
 */
export function RevealableValue<K extends SensitiveOperationId>(props: RevealProps<K>) {
  const { masked, children, className } = props
  const [isFormOpen, setFormOpen] = useState(false)
  const [shown, setShown] = useState<RevealedValuesState<K> | null>(null)
  const [hasReturned, setHasReturned] = useState(false)
  const hideValues = () => {
    setShown(null)
    setFormOpen(false)
    setHasReturned(true)
  }
  const showValues = (values: Output<K>, revealsLeft: number | undefined) => {
    setFormOpen(false)
    setShown({ values, until: Date.now() + revealDurationMs, left: revealsLeft })
  }
  return (
    <div className={cn('grid gap-2', className)}>
      <div className={shown ? 'hidden print:block' : undefined}>{masked}</div>
      {shown && <div className="print:hidden">{children(shown.values)}</div>}
      <div className="print:hidden">
        {shown && <Countdown until={shown.until} left={shown.left} onEnd={hideValues} />}
        {!shown && !isFormOpen && (
          <RevealButton {...props} hasReturned={hasReturned} onOpen={() => setFormOpen(true)} />
        )}
        {!shown && isFormOpen && (
          <Boundary fallback={<Skeleton className="h-32" />}>
            <RevealForm {...props} onShown={showValues} onBack={hideValues} />
          </Boundary>
        )}
      </div>
    </div>
  )
}

export const RevealField = <K extends SensitiveOperationId>({
  masked,
  children,
  ...props
}: RevealProps<K>) => (
  <RevealableValue
    {...props}
    masked={<ExternalText className="text-ink-2">{masked}</ExternalText>}
    className={cn('justify-items-start', props.className)}
  >
    {(values) => <ExternalText className="select-all font-medium">{children(values)}</ExternalText>}
  </RevealableValue>
)

type RevealButtonProps = Pick<
  RevealProps<SensitiveOperationId>,
  'operation' | 'disabledReason' | 'what'
> & {
  hasReturned: boolean
  onOpen: () => void
}

/** Takes the focus when revealed values are hidden again. */
function RevealButton({ operation, disabledReason, what, hasReturned, onOpen }: RevealButtonProps) {
  const { person } = usePageContext()
  const isOnline = useOnline()
  const revealDisabledReason =
    whyNotAllowed(person.roles, getServiceOperation(operation)) ??
    disabledReason ??
    (isOnline ? null : offlineReason)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button
        ref={hasReturned ? focusOnMountWithoutScroll : undefined}
        size="small"
        disabledReason={revealDisabledReason}
        onClick={onOpen}
      >
        Reveal…
        <span className="sr-only"> {what}</span>
      </Button>
      {revealDisabledReason && (
        <span aria-hidden="true" className="text-ink-3 text-xs">
          {revealDisabledReason}
        </span>
      )}
    </span>
  )
}

type CountdownProps = Pick<RevealedValuesState<SensitiveOperationId>, 'until' | 'left'> & {
  onEnd: () => void
}

/** If the computer sleeps past the end, waking it up hides the values. */
export function Countdown({ until, left, onEnd }: CountdownProps) {
  const [seconds, setSeconds] = useState(() => countSecondsUntil(until))
  const reportEnd = useEffectEvent(onEnd)
  useEffect(() => {
    const timer = setInterval(() => {
      setSeconds(countSecondsUntil(until))
      if (Date.now() >= until) reportEnd()
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  // A second timer that does not depend on the clock: the values are hidden after a minute even if
  // the clock is set back.
  useTimeout(onEnd, revealDurationMs)
  return (
    <p className="flex flex-wrap items-center gap-2 text-ink-3 text-xs">
      <span ref={focusOnMountWithoutScroll} tabIndex={-1}>
        Revealed, recorded{left === undefined ? '' : `, ${left} more left this hour`}.
        <span className="sr-only"> Hidden again after one minute.</span>
      </span>
      <span aria-hidden="true" className="tabular-nums">
        Hidden in {seconds} s
      </span>
      <Button size="small" onClick={onEnd}>
        Hide now
      </Button>
    </p>
  )
}

const countSecondsUntil = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))
