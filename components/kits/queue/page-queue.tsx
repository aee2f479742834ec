'use client'

import { useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, use, useEffect, useState } from 'react'
import { nextFrom } from '@/components/kits/data-table/row-order'
import { focusHeadingOf } from '@/components/kits/layout/arrival'
import { PageContextProvider, usePageContext } from '@/components/kits/layout/page-context'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { Boundary } from '@/components/ui/boundary'
import { NextContext, type NextOwner, type NextStep, nextName, useNextKey } from './next-context'

/** The queue that a record's page was opened from, in its order. `waits` is the status of its waiting records. */
export type RecordQueue = {
  rows: readonly { id: string; name: string; href: string; account: string | null }[]
  waits: string | null
  end: string
}

type PageQueueProps = {
  id: string
  /** Null if the queue could not be read. */
  reading: Promise<RecordQueue | null>
  Prefetch: ComponentType<PrefetchProps>
  children: ReactNode
}

/** A record's page opened from a queue: provides the step to the next record's page after a decision. */
export function PageQueue({ id, reading, Prefetch, children }: PageQueueProps) {
  const router = useRouter()
  const context = usePageContext()
  const [queue, setQueue] = useState<RecordQueue | null>(null)
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [prepared, setPrepared] = useState(false)
  const [owner, setOwner] = useState<NextOwner | null>(null)
  const ids = queue?.rows.map((row) => row.id) ?? []
  const { rest, passed } = nextFrom(id, ids, ids, skipped)
  const next = queue?.rows.find((row) => row.id === (rest ?? passed))
  const skip = (each: string) => skipped.has(each) || setSkipped(new Set([...skipped, each]))
  const go = () => {
    if (!next) return
    focusHeadingOf(next.id)
    router.push(next.href)
  }
  const step: NextStep | null = queue && {
    name: nextName(next?.id, next?.name ?? null, owner),
    end: queue.end,
    go,
    prepare: () => setPrepared(true),
    decided: skip,
  }
  useNextKey(step)
  return (
    <NextContext value={step}>
      {children}
      <Boundary fallback={null}>
        <Arrived reading={reading} onRead={setQueue} />
        {prepared && next && (
          <PageContextProvider context={{ ...context, account: next.account ?? context.scope }}>
            <Prefetch
              key={next.id}
              id={next.id}
              knownAccount={next.account}
              onStatus={(status) => queue?.waits && status !== queue.waits && skip(next.id)}
              onOwner={(name) => setOwner({ id: next.id, name })}
            />
          </PageContextProvider>
        )}
      </Boundary>
    </NextContext>
  )
}

/** Reads the queue after the record, because it is not needed before a decision. */
function Arrived({ reading, onRead }: { reading: Promise<RecordQueue | null>; onRead: (queue: RecordQueue | null) => void }) {
  const queue = use(reading)
  useEffect(() => onRead(queue), [queue, onRead])
  return null
}
