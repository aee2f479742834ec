import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { type Answer, listUnreadable } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { isDeskOperation, type OperationId, operation } from '@/lib/operations/operations'
import type { Input, Output } from '@/lib/operations/registry'
import { type MirrorListId, type ReadId, type RecordGetId, toServiceResource } from '@/lib/operations/service-operations'
import { accountText, getRolesIn, type ScopedAccount, tryParseAccount } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { Conditions } from '@/lib/server/mirror/conditions'
import type { ListInput } from '@/lib/server/mirror/lists'
import { type CountMode, countMirror, type ListScope, readMirrorObject, readMirrorPage } from '@/lib/server/mirror/query'
import { getRetentionStart } from '@/lib/server/mirror/retention'
import { newRequestId } from '@/lib/server/service/request'
import { readService, type ServiceReadResult } from '@/lib/server/service/service-read'
import { readLastCheck } from '@/lib/server/sync/state'
import { authorize } from './authorize'
import { addPathParams, type FieldsReader, parseInput } from './input'
import { addStoredAccount, filterOwnAccounts, listVisibleLostRows, narrowToAccount } from './visible-rows'

type AnswerMeta = Answer<unknown>['meta']

/** A request of a signed-in person, from the browser or for a part of a page. */
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

/**
 * Returns the fields of a request, parsed by the operation's schema. A read that takes an account gets the account of the scope. For a file
 * upload, only the path is parsed. Throws `bad_request`, `too_large`, and `invalid_input` with every invalid field and its fix.
 */
export async function parseRequestInput(
  { id, params, fields }: OperationRequest,
  scope: ScopedAccount | null,
): Promise<Record<string, unknown>> {
  const definition = operation(id)
  if (definition.source === 'service' && definition.body === 'file') return parseInput(id, params)
  const inputFields = await fields()
  if (definition.method !== 'GET') return parseInput(id, addPathParams(id, inputFields, params))
  return parseInput(id, { ...(isDeskOperation(id) || !scope ? inputFields : narrowToAccount(id, inputFields, scope)), ...params })
}

/** Reads from the service. In a list of accounts, returns only those that the person can see. Throws the errors of the read. */
export async function readFromService<K extends ReadId>(
  actor: Actor,
  id: K,
  input: Record<string, unknown>,
  scope: ScopedAccount,
  signal?: AbortSignal,
): Promise<ServiceReadResult<K>> {
  const serviceRead = filterOwnAccounts(id, await readService(id, input as Input<K>, scope, signal), actor, scope.environment)
  return addStoredAccount(actor, id, serviceRead, scope)
}

/**
 * Returns the metadata of a response from the mirror. `read_at` is the time up to which the mirror is known to be current; it is missing
 * until the resource was read completely once.
 */
export async function readMirrorMeta(
  actor: Actor,
  id: MirrorListId,
  place: ListScope,
): Promise<Pick<AnswerMeta, 'request_id' | 'read_at' | 'kept_since' | 'unreadable_rows'>> {
  const { checkedAt, unreadable } = await readLastCheck(place.environment, toServiceResource(id))
  const lostRows = listVisibleLostRows(actor, place, unreadable)
  const keptSince = toServiceResource(id) === 'payments' ? getRetentionStart() : null
  return {
    request_id: newRequestId(),
    ...(checkedAt ? { read_at: checkedAt.toISOString() } : {}),
    ...(keptSince ? { kept_since: keptSince.toISOString() } : {}),
    ...(lostRows.length > 0 ? { unreadable_rows: lostRows } : {}),
  }
}

/**
 * Reads a list from the mirror, with only the rows that the person can see. The first page of every search includes the unreadable rows,
 * because they could match any search.
 */
export async function readList<K extends MirrorListId>(
  actor: Actor,
  id: K,
  input: Record<string, unknown>,
  place: ListScope,
  count?: CountMode,
  extraConditions?: Conditions,
): Promise<{ data: Output<K>; meta: AnswerMeta }> {
  const [{ data, meta, accounts }, { unreadable_rows, ...age }] = await Promise.all([
    readMirrorPage(actor, id, input as ListInput<K>, place, count, extraConditions),
    readMirrorMeta(actor, id, place),
  ])
  const unreadableMeta = meta.page_number === 1 && unreadable_rows ? { unreadable_rows } : {}
  return { data, meta: { ...meta, accounts: accounts.map((account) => account && accountText(account)), ...age, ...unreadableMeta } }
}

/** Returns the fields of an object that are readable and current in the mirror: without last change, status history, configuration. */
function mirroredFields(object: object): string[] {
  const omittedFields = ['updated_at', 'status_history', 'config', 'unreadable', ...listUnreadable(object).map(({ field }) => field)]
  return Object.keys(object).filter((field) => !omittedFields.includes(field))
}

/**
 * Reads one object from the mirror. Null if the person can see no row of it; only the service can show whether the object exists. Throws
 * the errors of the store.
 */
export async function readMirrorRecord<K extends RecordGetId>(
  actor: Actor,
  id: K,
  object: string,
  { environment, account }: Pick<OperationRequest, 'environment' | 'account'>,
): Promise<{ data: Output<K>; meta: AnswerMeta & { accounts: (string | null)[] } } | null> {
  const namedAccount = tryParseAccount(account)
  if (whyNotAllowed(getRolesIn(actor.grants, environment, namedAccount), operation(id))) return null
  const foundRecord = await readMirrorObject(actor, id, object, { environment, accountId: namedAccount })
  if (!foundRecord) return null
  const accounts = [foundRecord.account && accountText(foundRecord.account)]
  return {
    data: foundRecord.data,
    meta: { request_id: newRequestId(), read_at: foundRecord.seenAt, mirror: mirroredFields(foundRecord.data), accounts },
  }
}

/** Returns the numbers of rows that the person can see in several searches, each at most `maxCounted` + 1. Throws errors of a read. */
export async function countLists<K extends MirrorListId>(requests: readonly OperationRequest[], id: K): Promise<number[]> {
  const searches = requests.map(async (request) => {
    const scope = (await authorize(request.actor, { ...request, operation: request.id })) as ScopedAccount
    return { asked: (await parseRequestInput(request, scope)) as ListInput<K>, place: scope }
  })
  const [first] = requests
  return first ? countMirror(first.actor, id, await Promise.all(searches)) : []
}
