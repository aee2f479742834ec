'use client'

import { type DehydratedState, HydrationBoundary, useQuery } from '@tanstack/react-query'
import { type ContextType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import {
  PendingRecordContext,
  RecordProvider,
} from '@/components/kits/unreadable/unreadable-fields'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { createCorrelationId } from '@/lib/client/drafts'
import { actionsQuery, recordQuery } from '@/lib/client/query/reads'
import type { WireError } from '@/lib/errors'
import { type ActionView, getUnreadableFields, isAbsentFromLists } from '@/lib/operations/answer'
import type { Input, Output } from '@/lib/operations/registry'
import { type RecordGetId, toServiceResource } from '@/lib/operations/service-operations'
import type { RecordNouns } from './record-failed'
import { RecordReadFailedNotice } from './record-failed'

/**
 * The server's reads for the first render: the query cache with the record and its actions, or the
 * error of the record.
 */
export type InitialRecordReads = {
  reads?: DehydratedState
  initialError?: { error: WireError; requestId: string }
}

/**
 * Reads a record and Paydesk's actions on it. `initialError`, from the server's read, applies until
 * the browser has fetched the record.
 */
function useRecordAndActions<K extends RecordGetId>(
  get: K,
  id: string,
  initialError?: InitialRecordReads['initialError'],
) {
  const context = usePageContext()
  const recordResult = useQuery({
    ...recordQuery(context, get, { id } as Input<K>),
    enabled: initialError === undefined,
  })
  const actionsResult = useQuery(actionsQuery(context, `${toServiceResource(get)}/${id}`))
  const readFailure = recordResult.error
    ? { error: recordResult.error.toWire(), requestId: recordResult.error.requestId }
    : initialError
  const isRecordGone =
    recordResult.data?.meta.mirror && readFailure?.error.code.endsWith('not_found')
  return {
    object: recordResult,
    actions: actionsResult,
    failed: recordResult.data && !isRecordGone ? undefined : readFailure,
  }
}

/** `onClose` is set only beside a list. `onChanged` refreshes that list. */
type BaseRecordPanelProps = {
  id: string
  knownAccount: string | null
  onClose?: () => void
  onChanged?: () => void
}

export type RecordContentProps<K extends RecordGetId> = BaseRecordPanelProps & {
  answer: CallAnswer<Output<K>>
  /** The error of the last refresh. `answer` is then older data. */
  readError: CallError | null
  reading: boolean
  onRead: () => void
  actions: readonly ActionView[]
  actionsError: CallError | null
  /** All actions from this view of the record have this id, created when the record was opened. */
  correlationId: string
}

export type PanelProps = BaseRecordPanelProps & InitialRecordReads

type RecordPanelProps<K extends RecordGetId> = PanelProps & {
  get: K
  nouns: RecordNouns
  /** Shown until the record is read. The default is the skeleton of a record. */
  skeleton?: ReactNode
  children: (record: RecordContentProps<K>) => ReactNode
}

export const RecordPanel = <K extends RecordGetId>(props: RecordPanelProps<K>) => (
  <HydrationBoundary state={props.reads}>
    <RecordPanelContent {...props} />
  </HydrationBoundary>
)

/**
 * Returns the state to show until the service responds, or null if the data is the service's
 * response. `one` is the record's noun.
 */
const toPendingRecordState = (
  { data, meta }: CallAnswer<object>,
  error: CallError | null,
  one: string,
): ContextType<typeof PendingRecordContext> =>
  meta.mirror
    ? {
        why: `The payments service ${error ? 'could not be' : 'is still being'} asked about this ${one}${error ? `: ${error.message}` : '.'}`,
        isAsking: !error,
        isPart: getUnreadableFields(data).some(isAbsentFromLists),
      }
    : null

function RecordPanelContent<K extends RecordGetId>({
  get,
  nouns,
  skeleton = <RecordSkeleton noun={nouns.one} />,
  children,
  ...props
}: RecordPanelProps<K>) {
  const { id, onClose } = props
  const { object, actions, failed } = useRecordAndActions(get, id, props.initialError)
  const [correlationId] = useState(createCorrelationId)
  const refetchRecord = () => void object.refetch()
  if (failed) {
    return (
      <RecordReadFailedNotice
        nouns={nouns}
        id={id}
        {...failed}
        knownAt={object.data?.meta.read_at}
        onAgain={refetchRecord}
        onClose={onClose}
      />
    )
  }
  if (!object.data) return skeleton
  return (
    <PendingRecordContext value={toPendingRecordState(object.data, object.error, nouns.one)}>
      <RecordProvider record={object.data.data}>
        {children({
          id,
          knownAccount: props.knownAccount,
          onClose,
          onChanged: props.onChanged,
          answer: object.data,
          readError: object.error,
          reading: object.isFetching,
          onRead: refetchRecord,
          actions: actions.data?.data ?? [],
          actionsError: actions.error,
          correlationId,
        })}
      </RecordProvider>
    </PendingRecordContext>
  )
}

/**
 * The record to prefetch, which the person probably opens next. `onStatus` is called with its
 * status, because another person may have decided it already. `onOwner` is called with its owner's
 * name, if lists do not contain that name.
 */
export type PrefetchProps = {
  id: string
  knownAccount: string | null
  onStatus: (status: string) => void
  onOwner: (name: string) => void
}

type RecordPrefetchProps<K extends RecordGetId> = PrefetchProps & {
  get: K
  children: (answer: CallAnswer<Output<K>>) => ReactNode
}

/** `children` calls the hooks of the record's panel to prefetch its data, and renders nothing. */
export function RecordPrefetch<K extends RecordGetId>({
  get,
  id,
  onStatus,
  children,
}: RecordPrefetchProps<K>) {
  const recordAnswer = useRecordAndActions(get, id).object.data
  const recordStatus =
    recordAnswer && 'status' in recordAnswer.data ? recordAnswer.data.status : undefined
  const reportStatus = useEffectEvent(onStatus)
  useEffect(() => {
    if (recordStatus !== undefined) reportStatus(recordStatus)
  }, [recordStatus])
  return recordAnswer && children(recordAnswer)
}
