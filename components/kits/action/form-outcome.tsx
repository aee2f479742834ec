'use client'

import { useQueryClient } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { ActionView } from '@/lib/operations/answer'
import { rowOf } from '@/lib/operations/rows'
import { targetPath } from '@/lib/routes'
import { isOpen, type Outcome } from './outcome'
import { OutcomePanel } from './outcome-panel'
import { useEarlier } from './use-earlier'
import type { Making } from './use-write-form'

const LiveAction = lazy(() => import('./live-action').then((module) => ({ default: module.LiveAction })))

type FormOutcomeOptions = {
  making: Making
  outcome: Outcome | null
  onDismiss: () => void
  onSignedIn: () => void
  /** A safety stop was acknowledged; by default what is typed stays, under a new key. */
  onStartOver?: () => void
  /** Told of the object (`<resource>/<id>`) that this very form made, though its answer was lost; by default its page opens. */
  onMade?: (target: string) => void
}

/** What came of a form's write, and of an earlier one of its kind that is not settled; `why` closes the form while either is open. */
export function useFormOutcome(options: FormOutcomeOptions): { why: string | null; view: ReactNode } {
  const { making, outcome, onDismiss, onSignedIn } = options
  const [settled, setSettled] = useState<Outcome | null>(null)
  const own = openIn(outcome)
  const earlier = useEarlier(making, [outcome?.action?.id, settled?.action?.id])
  const finish = useFinish(options)
  const settle = (action: ActionView) => {
    onDismiss()
    setSettled({ operation: action.operation, action })
    finish(action)
  }
  const dismiss = () => {
    setSettled(null)
    onDismiss()
  }
  const startOver = () => {
    making.renew()
    dismiss()
  }
  const live = own ?? earlier.action
  const view = (
    <Suspense fallback={<Skeleton className="h-24" />}>
      {live && <LiveAction key={live.id} action={live} onSettled={settle} />}
      {earlier.action && !own && <AnotherOne onIgnore={earlier.ignore} />}
      <Told
        outcome={own ? null : (outcome ?? settled)}
        account={making.account}
        onStartOver={options.onStartOver ?? startOver}
        onSignedIn={onSignedIn}
        onDismiss={dismiss}
      />
    </Suspense>
  )
  return { why: own ? whyOpen(own) : earlier.why, view }
}

const openIn = (outcome: Outcome | null) => (outcome?.action && isOpen(outcome.action) ? outcome.action : undefined)

const whyOpen = ({ own, actor, operation }: ActionView) =>
  `${own ? 'You' : actor} asked to ${rowOf(operation).does}: that is not settled yet.`

/** What follows from an outcome that came late: the same as from an answer in time. */
function useFinish({ making, onMade }: FormOutcomeOptions): (action: ActionView) => void {
  const { environment } = useDesk()
  const router = useRouter()
  const client = useQueryClient()
  const open = (target: string) => {
    const path = targetPath(environment, target, { account: making.account })
    if (path) router.push(path)
  }
  return ({ operation, idempotency_key, state, target }) => {
    const stale: readonly string[] = [...(rowOf(operation).invalidates ?? []), 'actions']
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === environment && stale.includes(String(queryKey[2])) })
    // Another form's request says nothing about what is typed here.
    if (idempotency_key !== making.key) return
    if (state !== 'applied') return making.renew()
    making.done()
    if (target) (onMade ?? open)(target)
  }
}

/** The way past an earlier request, for whoever means something else. */
const AnotherOne = ({ onIgnore }: { onIgnore: () => void }) => (
  <p className="flex flex-wrap items-center gap-2 text-ink-2 text-xs">
    This form is closed so that nothing is made twice.
    <Button size="small" onClick={onIgnore}>
      Mine is another one: open the form
    </Button>
  </p>
)

type ToldProps = {
  outcome: Outcome | null
  account: string | null
  onStartOver: () => void
  onSignedIn: () => void
  onDismiss: () => void
}

/** An outcome with the way to what was made. */
function Told({ outcome, account, ...panel }: ToldProps) {
  const { environment } = useDesk()
  if (!outcome) return null
  const { action } = outcome
  const path = action?.state === 'applied' ? targetPath(environment, action.target, { account }) : null
  const link = path && (
    <Link href={path} className="text-accent hover:underline">
      Open it
    </Link>
  )
  return <OutcomePanel outcome={outcome} {...panel} actions={link} />
}
