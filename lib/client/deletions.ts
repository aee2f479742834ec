import { queryOptions } from '@tanstack/react-query'
import type { DeletionView } from '@/lib/operations/deletion'
import type { DeletionRequest } from '@/lib/operations/deletion.schema'
import { deletionApiPath, deletionsApiPath } from '@/lib/routes'
import type { CallError } from './call-error'
import type { DeskScope } from './desk'
import { type CallAnswer, request } from './request'

/** The requests to delete one customer, newest first. */
export const readDeletions = ({ environment, account }: DeskScope, customer: string) =>
  queryOptions<CallAnswer<DeletionView[]>, CallError>({
    queryKey: [environment, account ?? 'platform', 'deletions', customer],
    queryFn: ({ signal }) => request(deletionsApiPath({ environment, customer }), { method: 'GET', signal }),
  })

/** Asks for a deletion. The request carries its own id, so sending it again finds the first one. Throws `CallError` naming the fields. */
export const requestDeletion = (body: Partial<DeletionRequest>): Promise<CallAnswer<DeletionView>> =>
  request(deletionsApiPath(), { method: 'POST', body })

/** Takes an open request back. Throws `CallError`: `changed` where it is not open any more. */
export const withdrawDeletion = (id: string): Promise<CallAnswer<DeletionView>> =>
  request(deletionApiPath(id, 'withdraw'), { method: 'POST' })
