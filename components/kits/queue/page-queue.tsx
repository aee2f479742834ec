'use client'

import { useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { focusRecordHeading } from '@/components/kits/layout/focus'
import { PageContextProvider, usePageContext } from '@/components/kits/layout/page-context'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { Boundary } from '@/components/ui/boundary'
import { NextQueueRecordContext } from './next-context'
import { type RecordQueue, useRecordQueue } from './queue'

type PageQueueProviderProps = {
  id: string
  /** The queue from which the page was opened. Resolves to null if the queue could not be read. */
  reading: Promise<RecordQueue | null>
  Prefetch: ComponentType<PrefetchProps>
  children: ReactNode
}

/** Wraps a record's page opened from a queue. After a decision it offers the next page. */
export function PageQueueProvider({ id, reading, Prefetch, children }: PageQueueProviderProps) {
  const router = useRouter()
  const context = usePageContext()
  const [queue, setQueue] = useState<RecordQueue | null>(null)
  // The queue may arrive after the record: it is needed only after a decision.
  useEffect(() => void reading.then(setQueue, () => {}), [reading])
  const { step, ahead } = useRecordQueue(queue, id, (next) => {
    if (!next.href) return
    focusRecordHeading(next.id)
    router.push(next.href)
  })
  return (
    <NextQueueRecordContext value={step}>
      {children}
      {ahead && (
        <Boundary fallback={null}>
          <PageContextProvider
            context={{ ...context, account: ahead.knownAccount ?? context.scope }}
          >
            <Prefetch key={ahead.id} {...ahead} />
          </PageContextProvider>
        </Boundary>
      )}
    </NextQueueRecordContext>
  )
}
