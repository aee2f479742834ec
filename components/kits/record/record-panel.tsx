'use client'

import { type DehydratedState, HydrationBoundary, useQuery } from '@tanstack/react-query'
import { type ContextType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { RecordRead, WaitContext } from '@/components/kits/unreadable/unreadable-parts'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { newCorrelationId } from '@/lib/client/drafts'
import { readActions, readRecord } from '@/lib/client/query/reads'
import type { WireError } from '@/lib/errors'
import { type ActionView, isUnlisted, unreadableIn } from '@/lib/operations/answer'
import type { Input, Output } from '@/lib/operations/registry'
import { type RecordGetId, resourceOf } from '@/lib/operations/service-operations'
import type { RecordNouns } from './record-failed'
import { RecordFailed } from './record-failed'

/** The server's reads for the first view of a record: the object and its actions for the cache, or the error of the object. */
export type ServerReads = { reads?: DehydratedState; initialError?: { error: WireError; requestId: string } }

/** The object and what Paydesk did with it. An error of the server counts until the browser has fetched the object. */
function useRecord<K extends RecordGetId>(get: K, id: string, initialError?: ServerReads['initialError']) {
  const context = usePageContext()
  const object = useQuery({ ...readRecord(context, get, { id } as Input<K>), enabled: initialError === undefined })
  const actions = useQuery(readActions(context, `${resourceOf(get)}/${id}`))
  const failed = object.error ? { error: object.error.toWire(), requestId: object.error.requestId } : initialError
  const isGone = object.data?.meta.mirror && failed?.error.code.endsWith('not_found')
  return { object, actions, failed: object.data && !isGone ? undefined : failed }
}

/** Where a record is shown: beside a list it can be closed, on its own page it cannot; the list hears of changes. */
type RecordPlace = { id: string; knownAccount: string | null; onClose?: () => void; onChanged?: () => void }

/** Everything a feature needs to draw a record that was read. */
export type RecordProps<K extends RecordGetId> = RecordPlace & {
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
export type PanelProps = RecordPlace & ServerReads

type RecordPanelProps<K extends RecordGetId> = PanelProps & {
  get: K
  nouns: RecordNouns
  children: (record: RecordProps<K>) => ReactNode
}

/** One record, read and drawn: beside the list or as its own page. Loading, not found and failed are drawn here. */
export const RecordPanel = <K extends RecordGetId>(props: RecordPanelProps<K>) => (
  <HydrationBoundary state={props.reads}>
    <Panel {...props} />
  </HydrationBoundary>
)

/** What a record on the screen waits for; `one` is what it is called in a sentence. */
const waitOf = ({ data, meta }: CallAnswer<object>, error: CallError | null, one: string): ContextType<typeof WaitContext> =>
  meta.mirror
    ? {
        why: `The payments service ${error ? 'could not be' : 'is still being'} asked about this ${one}${error ? `: ${error.message}` : '.'}`,
        isAsking: !error,
        isPart: unreadableIn(data).some(isUnlisted),
      }
    : null

function Panel<K extends RecordGetId>({ get, nouns, children, ...props }: RecordPanelProps<K>) {
  const { id, onClose } = props
  const { object, actions, failed } = useRecord(get, id, props.initialError)
  const [correlationId] = useState(newCorrelationId)
  const again = () => void object.refetch()
  if (failed) {
    return <RecordFailed nouns={nouns} id={id} {...failed} knownAt={object.data?.meta.read_at} onAgain={again} onClose={onClose} />
  }
  if (!object.data) return <RecordSkeleton noun={nouns.one} />
  return (
    <WaitContext value={waitOf(object.data, object.error, nouns.one)}>
      <RecordRead record={object.data.data}>
        {children({
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
        })}
      </RecordRead>
    </WaitContext>
  )
}

/**
 * A record that is likely opened next; the status it is in is told, because somebody else may have decided it meanwhile, and so is whose it is, where its
 * list names that only beside it.
 */
export type PrefetchProps = { id: string; knownAccount: string | null; onStatus: (status: string) => void; onOwner: (name: string) => void }

type RecordPrefetchProps<K extends RecordGetId> = PrefetchProps & { get: K; children: (answer: CallAnswer<Output<K>>) => ReactNode }

/**
 * Reads a record before it is opened, so that it is there at once then; `children` reads what its panel shows beside it, by the same hooks, and
 * draws nothing.
 */
export const RecordPrefetch = <K extends RecordGetId>(props: RecordPrefetchProps<K>) => <Reading {...props} />

function Reading<K extends RecordGetId>({ get, id, onStatus, children }: RecordPrefetchProps<K>) {
  const answer = useRecord(get, id).object.data
  const status = answer && 'status' in answer.data ? answer.data.status : undefined
  const tell = useEffectEvent(onStatus)
  useEffect(() => {
    if (status !== undefined) tell(status)
  }, [status])
  return answer && children(answer)
}
