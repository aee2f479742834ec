'use client'

import { lazy, Suspense, useRef } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallAnswer } from '@/lib/client/request'
import type { LimitUses } from '@/lib/domain/limit-request'
import { type LimitType, limitSetOf, typeWords } from '@/lib/domain/limit-words'
import type { AccountSettings } from '@/lib/operations/account-settings.schema'
import { LimitLines } from './limit-lines'
import type { AccountScope } from './limit-reads'
import { UseNote } from './use-note'

const LimitForm = lazy(() => import('./limit-form').then((module) => ({ default: module.LimitForm })))

type LimitPanelProps = {
  type: LimitType
  scope: AccountScope
  name: string
  settings: CallAnswer<AccountSettings>
  uses: LimitUses | null
  /** Why no request can be made now; null where one can. */
  closed: string | null
  open: boolean
  onOpen: (type: LimitType | null) => void
  correlationId: string
  onOutcome: (outcome: Outcome | null) => void
}

/** One payment type: its limits, what is used of them, and beside them the request for others. */
export function LimitPanel({ type, scope, name, settings, uses, closed, open, onOpen, ...form }: LimitPanelProps) {
  const limits = limitSetOf(settings.data[type])
  const use = uses?.[type] ?? null
  const ask = useRef<HTMLButtonElement>(null)
  const back = () => {
    onOpen(null)
    ask.current?.focus()
  }
  return (
    <Panel
      title={typeWords[type].title}
      aside={
        <Button
          ref={ask}
          size="small"
          disabledReason={open ? 'The form is open below.' : closed}
          onClick={() => onOpen(type)}
          className="print:hidden"
        >
          Ask for other limits…
        </Button>
      }
    >
      <div className="grid gap-3">
        {use && <UseNote use={use} />}
        {!uses && <p className="text-ink-3 text-xs">Adding up what is used…</p>}
        <LimitLines limits={limits} usage={use?.ok ? use.usage : null} />
        {closed && !open && <p className="text-ink-3 text-xs">No request can be made: {closed}</p>}
        {open && (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <LimitForm
              {...form}
              type={type}
              scope={scope}
              name={name}
              settings={settings}
              usage={use?.ok ? use.usage : null}
              closed={closed}
              onBack={back}
            />
          </Suspense>
        )}
      </div>
    </Panel>
  )
}
