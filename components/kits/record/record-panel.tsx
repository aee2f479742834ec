'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { CallError } from '@/lib/client/call-error'
import { newCorrelationId } from '@/lib/client/keys'
import { QueryProvider } from '@/lib/client/query-provider'
import type { CallAnswer } from '@/lib/client/request'
import type { ActionView } from '@/lib/operations/answer'
import type { Output } from '@/lib/operations/registry'
import { HeldUntilAlive } from './later'
import type { RecordNouns } from './record-failed'
import { RecordSkeleton } from './record-skeleton'
import { type GetId, type Initial, useRecord } from './use-record'

// Few records cannot be read, and every record's page would carry the words for it.
const RecordFailed = lazy(() => import('./record-failed').then((module) => ({ default: module.RecordFailed })))

/** Where a record stands: beside a list it can be closed, on its own page it cannot; the list hears of changes. */
export type RecordPlace = { id: string; knownAccount: string | null; onClose?: () => void; onChanged?: () => void }

/** Everything a feature needs to draw a record that was read. */
export type RecordProps<K extends GetId> = RecordPlace & {
  answer: CallAnswer<Output<K>>
  /** Why the last reading failed, while an older one is on the screen. */
  readError: CallError | null
  reading: boolean
  onRead: () => void
  actions: readonly ActionView[]
  actionsError: CallError | null
  /** One for each opened record: all that is done in this review carries it. */
  correlationId: string
}

/** What a feature's own panel takes: its place, and what the server read first. */
export type PanelProps<K extends GetId> = RecordPlace & Initial<K>

type RecordPanelProps<K extends GetId> = PanelProps<K> & { get: K; nouns: RecordNouns; children: (record: RecordProps<K>) => ReactNode }

/** One record, read and drawn: beside the list or as its own page. Loading, not found and failed are drawn here. */
export const RecordPanel = <K extends GetId>(props: RecordPanelProps<K>) => (
  <QueryProvider>
    <HeldUntilAlive>
      <Panel {...props} />
    </HeldUntilAlive>
  </QueryProvider>
)

function Panel<K extends GetId>({ get, nouns, children, ...props }: RecordPanelProps<K>) {
  const { id, onClose } = props
  const { object, actions, failed } = useRecord(get, id, props)
  const [correlationId] = useState(newCorrelationId)
  const again = () => void object.refetch()
  if (failed) {
    return (
      <Suspense fallback={<RecordSkeleton noun={nouns.one} />}>
        <RecordFailed nouns={nouns} id={id} {...failed} onAgain={again} onClose={onClose} />
      </Suspense>
    )
  }
  if (!object.data) return <RecordSkeleton noun={nouns.one} />
  return children({
    id,
    knownAccount: props.knownAccount,
    onClose,
    onChanged: props.onChanged,
    answer: object.data,
    readError: object.error,
    reading: object.isFetching,
    onRead: again,
    actions: actions.data?.data ?? [],
    actionsError: actions.error,
    correlationId,
  })
}
