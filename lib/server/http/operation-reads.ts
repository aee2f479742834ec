import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { type ApiAnswer, getUnreadableFields } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { getOperation, isDeskOperation, type OperationId } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import {
  type MirrorListId,
  type ReadId,
  type RecordGetId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import {
  formatAccountId,
  getRolesIn,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { Conditions } from '@/lib/server/mirror/conditions'
import { type CountMode, countMirrorRows } from '@/lib/server/mirror/counts'
import type { ListInput } from '@/lib/server/mirror/lists'
import { readMirrorObject, readMirrorPage } from '@/lib/server/mirror/query'
import { getRetentionStart } from '@/lib/server/mirror/retention'
import type { ListScope } from '@/lib/server/mirror/row-visibility'
import { createRequestId } from '@/lib/server/service/request'
import { readService, type ServiceReadResult } from '@/lib/server/service/service-read'
import { readLastCheck } from '@/lib/server/sync/state'
import { authorizeOperation } from './authorize'
import { addPathParams, type FieldsReader, parseInput } from './input'
import {
  addScopeAccount,
  addStoredAccount,
  keepVisibleRows,
  listVisibleUnreadableRows,
} from './visible-rows'

type AnswerMeta = ApiAnswer<unknown>['meta']

export type OperationRequest = {
  actor: Actor
  environment: Environment
  id: OperationId
  /** The requested account scope (`acct_…`), not yet checked. */
  account: string | null
  /** `<resource>/<id>`; null for a search, or if the request creates the object. */
  target: string | null
  params: Record<string, string>
  fields: FieldsReader
}

/** Parses only the path of a file upload. Throws `bad_request`, `too_large`, `invalid_input`. */
export async function parseRequestInput(
  { id, params, fields }: OperationRequest,
  scope: ScopedAccount | null,
): Promise<Record<string, unknown>> {
  const definition = getOperation(id)
  if (definition.source === 'service' && definition.body === 'file') return parseInput(id, params)
  const inputFields = await fields()
  if (definition.method !== 'GET') return parseInput(id, addPathParams(id, inputFields, params))
  return parseInput(id, {
    ...(isDeskOperation(id) || !scope ? inputFields : addScopeAccount(id, inputFields, scope)),
    ...params,
  })
}

/** A list of accounts contains only the accounts that the person can see. */
export async function readFromService<K extends ReadId>(
  actor: Actor,
  id: K,
  input: Record<string, unknown>,
  scope: ScopedAccount,
  signal?: AbortSignal,
): Promise<ServiceReadResult<K>> {
  const serviceReadResult = await keepVisibleRows(
    id,
    await readService(id, input as Input<K>, scope, signal),
    actor,
    scope,
  )
  return addStoredAccount(actor, id, serviceReadResult, scope)
}

/**
 * `read_at` is the time up to which the mirror, our stored copy of the service's data, is current.
 * It is missing until all objects of the resource were read once.
 */
export async function readMirrorMeta(
  actor: Actor,
  id: MirrorListId,
  listScope: ListScope,
): Promise<Pick<AnswerMeta, 'request_id' | 'read_at' | 'kept_since' | 'unreadable_rows'>> {
  const { checkedAt, unreadable } = await readLastCheck(
    listScope.environment,
    toServiceResource(id),
  )
  const unreadableRows = listVisibleUnreadableRows(id, actor, listScope, unreadable)
  const retentionStart = toServiceResource(id) === 'payments' ? getRetentionStart() : null
  return {
    request_id: createRequestId(),
    ...(checkedAt ? { read_at: checkedAt.toISOString() } : {}),
    ...(retentionStart ? { kept_since: retentionStart.toISOString() } : {}),
    ...(unreadableRows.length > 0 ? { unreadable_rows: unreadableRows } : {}),
  }
}

/**
 * The first page also lists the rows that could not be parsed, because such a row could match any
 * search.
 */
export async function readMirrorList<K extends MirrorListId>(
  actor: Actor,
  id: K,
  input: Record<string, unknown>,
  listScope: ListScope,
  countMode?: CountMode,
  extraConditions?: Conditions,
): Promise<{ data: Output<K>; meta: AnswerMeta }> {
  const [{ data, meta, accounts }, { unreadable_rows, ...age }] = await Promise.all([
    readMirrorPage(actor, id, input as ListInput<K>, listScope, countMode, extraConditions),
    readMirrorMeta(actor, id, listScope),
  ])
  const unreadableMeta = meta.page_number === 1 && unreadable_rows ? { unreadable_rows } : {}
  return {
    data,
    meta: {
      ...meta,
      accounts: accounts.map((account) => account && formatAccountId(account)),
      ...age,
      ...unreadableMeta,
    },
  }
}

/** Omits fields that cannot be read and fields whose mirrored values may be out of date. */
function listCurrentFieldNames(object: object): string[] {
  const omittedFields = [
    'updated_at',
    'status_history',
    'config',
    'unreadable',
    ...getUnreadableFields(object).map(({ field }) => field),
  ]
  return Object.keys(object).filter((field) => !omittedFields.includes(field))
}

/** Null does not prove that the object does not exist: only the service can show that. */
export async function readMirrorRecord<K extends RecordGetId>(
  actor: Actor,
  id: K,
  objectId: string,
  { environment, account }: Pick<OperationRequest, 'environment' | 'account'>,
): Promise<{ data: Output<K>; meta: AnswerMeta & { accounts: (string | null)[] } } | null> {
  const namedAccount = tryParseAccountId(account)
  if (whyNotAllowed(getRolesIn(actor.grants, environment, namedAccount), getOperation(id)))
    return null
  const mirrorRecord = await readMirrorObject(actor, id, objectId, {
    environment,
    accountId: namedAccount,
  })
  if (!mirrorRecord) return null
  const accounts = [mirrorRecord.account && formatAccountId(mirrorRecord.account)]
  return {
    data: mirrorRecord.data,
    meta: {
      request_id: createRequestId(),
      read_at: mirrorRecord.seenAt,
      mirror: listCurrentFieldNames(mirrorRecord.data),
      accounts,
    },
  }
}

/** Each count is at most `maxCountedRows` + 1. */
export async function countListRows<K extends MirrorListId>(
  requests: readonly OperationRequest[],
  id: K,
): Promise<number[]> {
  const searchPromises = requests.map(async (request) => {
    const scope = (await authorizeOperation(request.actor, {
      ...request,
      operation: request.id,
    })) as ScopedAccount
    return { asked: (await parseRequestInput(request, scope)) as ListInput<K>, place: scope }
  })
  const [first] = requests
  return first ? countMirrorRows(first.actor, id, await Promise.all(searchPromises)) : []
}
