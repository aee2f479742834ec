'use client'

import { useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { focusRecordHeading } from '@/components/kits/layout/focus'
import { PageContextProvider, usePageContext } from '@/components/kits/layout/page-context'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { Boundary } from '@/components/ui/boundary'
import { NextStepContext } from './next-context'
import { type Queue, useQueue } from './queue'

type PageQueueProviderProps = {
  id: string
  /** The queue from which the page was opened. Resolves to null if the queue could not be read. */
  reading: Promise<Queue | null>
  Prefetch: ComponentType<PrefetchProps>
  children: ReactNode
}

/** Wraps a record's page opened from a queue. After a decision it offers the next page. */
export function PageQueueProvider({ id, reading, Prefetch, children }: PageQueueProviderProps) {
  const router = useRouter()
  const context = usePageContext()
  const [queue, setQueue] = useState<Queue | null>(null)
  // The queue may arrive after the record: it is needed only after a decision.
  useEffect(() => void reading.then(setQueue, () => {}), [reading])
  const { step, ahead } = useQueue(queue, id, (next) => {
    if (!next.href) return
    focusRecordHeading(next.id)
    router.push(next.href)
  })
  return (
    <NextStepContext value={step}>
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
    </NextStepContext>
  )
}
