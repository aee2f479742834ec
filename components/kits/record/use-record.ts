'use client'

import { useQuery } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { read, readActions } from '@/lib/client/queries'
import type { CallAnswer } from '@/lib/client/request'
import { timeOf } from '@/lib/dates'
import type { WireError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, resourceOf } from '@/lib/operations/rows'

/** Reads of one object by its id. */
export type GetId = Extract<ReadId, `${string}.get`>

/** What the server read, or failed to read, for the first view of a record's own page. */
export type Initial<K extends GetId> = {
  initial?: CallAnswer<Output<K>>
  initialError?: { error: WireError; requestId: string }
  initialActions?: readonly ActionView[]
}

/** The object and what Paydesk did with it. What the server read or failed to read counts until the browser has asked itself. */
export function useRecord<K extends GetId>(get: K, id: string, { initial, initialError, initialActions }: Initial<K>) {
  const desk = useDesk()
  const readAt = timeOf(initial?.meta.read_at) ?? undefined
  const asked = { initialData: initial, initialDataUpdatedAt: readAt, enabled: initialError === undefined }
  const object = useQuery({ ...read(desk, get, { id } as Input<K>), ...asked })
  const firstActions = initialActions && { data: [...initialActions], meta: { request_id: '' }, replayed: false }
  const actions = useQuery({ ...readActions(desk, `${resourceOf(get)}/${id}`), initialData: firstActions, initialDataUpdatedAt: readAt })
  const failed = object.error ? { error: object.error.toWire(), requestId: object.error.requestId } : initialError
  return { object, actions, failed: object.data ? undefined : failed }
}
