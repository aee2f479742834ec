'use client'

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { offlineReason, useOnline } from '@/components/kits/layout/use-online'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { SensitiveId } from '@/lib/client/read-sensitive'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { Output } from '@/lib/operations/registry'
import type { RevealForm as Form } from './reveal-form'

// `lazy` forgets that the form is generic; its type is given back.
const RevealForm = lazy(() => import('./reveal-form').then((module) => ({ default: module.RevealForm }))) as unknown as typeof Form

/** How long what was revealed stays on the screen. */
const shownFor = 60_000

type RevealProps<K extends SensitiveId> = {
  operation: K
  id: string
  /** The record's account; null where the operation takes none or it is not known. */
  account: string | null
  /** What is revealed, in a few words: "the contact data". It names the button for a screen reader. */
  what: string
  /** Names on the screen, which do not belong in a reason. */
  names?: readonly (string | undefined)[]
  /** Why it cannot be revealed, besides roles and connection; null where it can. */
  closed?: string | null
  /** What stands there while it is hidden; it is also what gets printed. */
  masked: ReactNode
  children: (values: Output<K>) => ReactNode
  className?: string
}

type Shown<K extends SensitiveId> = { values: Output<K>; until: number; left: number | undefined }

/**
 * What is masked, with "Reveal…": it asks for a reason, is counted and on record, and shows the values for a minute. They are kept in this
 * component's state and nowhere else: no cache, no draft, no print.
 */
export function Reveal<K extends SensitiveId>(props: RevealProps<K>) {
  const { masked, children, className } = props
  const [asking, setAsking] = useState(false)
  const [shown, setShown] = useState<Shown<K> | null>(null)
  const opener = useRef<HTMLDivElement>(null)
  const back = () => {
    setShown(null)
    setAsking(false)
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus({ preventScroll: true }))
  }
  const show = (values: Output<K>, left: number | undefined) => {
    setAsking(false)
    setShown({ values, until: Date.now() + shownFor, left })
  }
  return (
    <div ref={opener} className={cn('grid gap-2', className)}>
      <div className={shown ? 'hidden print:block' : undefined}>{masked}</div>
      {shown && <div className="print:hidden">{children(shown.values)}</div>}
      <div className="print:hidden">
        {shown && <Countdown until={shown.until} left={shown.left} onEnd={back} />}
        {!shown && !asking && <Opener {...props} onOpen={() => setAsking(true)} />}
        {!shown && asking && (
          <Suspense fallback={<Skeleton className="h-32" />}>
            <RevealForm {...props} onShown={show} onBack={back} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

/** One masked value of a row of facts, with its own "Reveal…" beside it. */
export const RevealField = <K extends SensitiveId>({ masked, children, ...props }: RevealProps<K>) => (
  <Reveal {...props} masked={<bdi className="text-ink-2">{masked}</bdi>} className={cn('justify-items-start', props.className)}>
    {(values) => <bdi className="select-all font-medium">{children(values)}</bdi>}
  </Reveal>
)

type OpenerProps = Pick<RevealProps<SensitiveId>, 'operation' | 'closed' | 'what'> & { onOpen: () => void }

/** The way in. Closed it stays in sight and says why. */
function Opener({ operation, closed, what, onOpen }: OpenerProps) {
  const { person } = useDesk()
  const online = useOnline()
  const why = whyNotAllowed(person.roles, operation) ?? closed ?? (online ? null : offlineReason)
  return (
    <Button size="small" disabledReason={why} onClick={onOpen}>
      Reveal…
      <span className="sr-only"> {what}</span>
    </Button>
  )
}

/** How long it is still shown, and the way to end it now. A tab that slept past the end hides it the moment it wakes. */
function Countdown({ until, left, onEnd }: { until: number; left: number | undefined; onEnd: () => void }) {
  const [seconds, setSeconds] = useState(() => secondsTo(until))
  const said = useRef<HTMLSpanElement>(null)
  useEffect(() => said.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsTo(until)), 1000)
    return () => clearInterval(timer)
  }, [until])
  const over = seconds <= 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends once, whatever the caller's function is by then
  useEffect(() => {
    if (over) onEnd()
  }, [over])
  return (
    <p className="flex flex-wrap items-center gap-2 text-ink-3 text-xs">
      <span ref={said} tabIndex={-1}>
        Revealed, on record{left === undefined ? '' : `, ${left} more left this hour`}.
        <span className="sr-only"> Hidden again after a minute.</span>
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

const secondsTo = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))
