import { z } from 'zod'
import type { Dialect } from '@/sandbox/dialects/dialect'
import type { Operation, OperationCall } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import { uuidPattern } from '@/sandbox/store/store'
import { type ApiKey, requireWritePermission } from './api-keys'
import { type IdempotencyClaim, readEchoHeaders } from './idempotency'
import type { JournalEffect, RequestLogEntry } from './journal'
import type { FaultEffect } from './planned-faults'
import { makeForbiddenProblem, makeMalformedProblem, makeNotReadyProblem, Problem } from './problem'
import { type RawBody, readBody, readJson, readUpload, type Upload } from './read-body'
import { readQuery } from './read-query'
import { readAccountRowNumber } from './scope'
import {
  applyDelayFault,
  cutConnection,
  type ListResult,
  makeFaultStatusResponse,
  makeListResponse,
  makeObjectResponse,
  makeProblemResponse,
  type RequestAndResponse,
  type ResponseContext,
  sendResponse,
  sendWithFault,
  toErrorResponse,
  type WireResponse,
} from './send-response'

/**
 * A request that is being served. `dialect` is the wire format that was active when the request
 * arrived. `operation` already contains the overrides of this dialect.
 */
export type OperationExchange = {
  sandbox: Sandbox
  dialect: Dialect
  operation: Operation
  wire: RequestAndResponse
  params: Record<string, string>
  url: URL
  entry: RequestLogEntry
}

const emptyQuerySchema = z.strictObject({})

type RequestBodies = { body: RawBody | undefined; upload: Upload | undefined }

const readHeader = (wire: RequestAndResponse, name: string): string | undefined => {
  const value = wire.incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const readAccountHeader = ({ dialect, wire }: OperationExchange): string | undefined =>
  readHeader(wire, dialect.account.name.toLowerCase())

const toResponseContext = ({ sandbox, dialect, wire }: OperationExchange): ResponseContext => ({
  dialect,
  now: sandbox.clock.now(),
  accept: wire.incoming.headers.accept,
})

/**
 * Serves one request. The order is fixed: read the body, apply a fault planned before the change,
 * check the API key and its permission, check the rate limit, claim the Idempotency-Key, make the
 * change and store the response in one transaction, apply a fault planned after the change. An
 * error before the claim, such as a 401 or 429, leaves the Idempotency-Key unused. After the claim,
 * the response of a success or a Problem is stored under the key; an unexpected error frees the
 * key.
 */
export async function serveOperation(exchange: OperationExchange): Promise<void> {
  const { sandbox, operation, wire, entry } = exchange
  const bodies = await readBodies(exchange)
  const fault = sandbox.faults.strike({
    operation: operation.id,
    carries: listMatchableRequestTexts(exchange, bodies),
  })
  entry.fault = fault?.kind ?? null
  if (fault?.kind === 'refuse') return cutConnection(wire, 'close')
  await applyDelayFault(fault, 'before')
  if (fault?.kind === 'reset' && fault.at === 'before') return cutConnection(wire, 'reset')
  const earlyResponse = makeEarlyFaultResponse(fault, toResponseContext(exchange))
  const response = earlyResponse ?? (await handleExchange(exchange, bodies, fault))
  entry.status = response.status
  entry.replayed = response.headers['idempotent-replayed'] === 'true'
  if (earlyResponse) return sendResponse(wire, earlyResponse)
  await applyDelayFault(fault, 'after')
  sendWithFault(fault, wire, response, toResponseContext(exchange))
}

function makeEarlyFaultResponse(
  fault: FaultEffect | undefined,
  context: ResponseContext,
): WireResponse | undefined {
  if (fault?.kind === 'status' && fault.at === 'before')
    return makeFaultStatusResponse(fault, context)
  if (fault?.kind === 'redirect')
    return { status: fault.status, headers: { location: fault.location }, body: '' }
  return undefined
}

async function readBodies({ operation, wire, entry }: OperationExchange): Promise<RequestBodies> {
  if (operation.method === 'GET') return { body: undefined, upload: undefined }
  const upload = operation.takesFile ? await readUpload(wire.incoming) : undefined
  const body = operation.takesFile ? undefined : await readBody(wire.incoming)
  entry.body_sha256 = upload?.sha256 ?? body?.sha256 ?? null
  entry.body_bytes = upload?.bytes ?? body?.bytes ?? 0
  return { body, upload }
}

/**
 * Returns the texts in which a fault's `match` is searched. They exclude the contents of uploaded
 * files.
 */
function listMatchableRequestTexts(exchange: OperationExchange, { body }: RequestBodies): string[] {
  const { wire, url } = exchange
  const optionalTexts = [
    readAccountHeader(exchange),
    readHeader(wire, 'idempotency-key'),
    body?.text,
  ]
  return [
    url.pathname,
    ...url.searchParams.values(),
    ...optionalTexts.filter((text) => text !== undefined),
  ]
}

async function handleExchange(
  exchange: OperationExchange,
  bodies: RequestBodies,
  fault: FaultEffect | undefined,
): Promise<WireResponse> {
  const { sandbox, operation, wire } = exchange
  try {
    const verifiedApiKey = await sandbox.keys.check(readHeader(wire, 'authorization'))
    if (operation.method !== 'GET') requireWritePermission(verifiedApiKey)
    requireOfferedOperation(exchange)
    sandbox.rate.take()
    return await runWithIdempotencyKey(exchange, bodies, verifiedApiKey, fault)
  } catch (error) {
    if (!(error instanceof Problem))
      console.error('unexpected error', error instanceof Error ? error.stack : 'unknown')
    return addEchoHeaders(wire, toErrorResponse(error, toResponseContext(exchange)))
  }
}

const addEchoHeaders = (wire: RequestAndResponse, wireResponse: WireResponse): WireResponse => ({
  ...wireResponse,
  headers: { ...wireResponse.headers, ...readEchoHeaders(wire.incoming) },
})

async function runWithIdempotencyKey(
  exchange: OperationExchange,
  bodies: RequestBodies,
  apiKey: ApiKey,
  fault: FaultEffect | undefined,
): Promise<WireResponse> {
  const { sandbox, operation, wire, url } = exchange
  const idempotencyKey = readHeader(wire, 'idempotency-key')
  if (operation.method === 'GET' || idempotencyKey === undefined) {
    await applyDelayFault(fault, 'mid')
    return runHandler(exchange, bodies, undefined)
  }
  sandbox.idempotency.checkLength(idempotencyKey)
  const bodySha256 = bodies.upload?.sha256 ?? bodies.body?.sha256 ?? ''
  const claim = {
    apiKey: apiKey.id,
    key: idempotencyKey,
    method: operation.method,
    path: url.pathname,
    bodySha256,
  }
  const storedResponse = sandbox.idempotency.claim(claim, sandbox.clock.now())
  if (storedResponse) return storedResponse
  try {
    await applyDelayFault(fault, 'mid')
    return runHandler(exchange, bodies, claim)
  } finally {
    sandbox.idempotency.release(claim)
  }
}

/**
 * For a write, one transaction contains the change, the journal row and the response. A Problem
 * rolls it back, and a second transaction stores the error response.
 */
function runHandler(
  exchange: OperationExchange,
  bodies: RequestBodies,
  claim: IdempotencyClaim | undefined,
): WireResponse {
  const { sandbox, operation, wire } = exchange
  // Check again, because a reset may have begun while the body arrived. The error is thrown outside
  // the transaction below, so the Idempotency-Key stays unused.
  if (!sandbox.ready) throw makeNotReadyProblem()
  const now = sandbox.clock.now()
  if (operation.method === 'GET')
    return addEchoHeaders(
      wire,
      handleCall(
        exchange,
        buildOperationCall(exchange, bodies, now, () => undefined),
      ),
    )
  try {
    return sandbox.store.transaction(() => {
      const responseWithEcho = addEchoHeaders(
        wire,
        handleCall(
          exchange,
          buildOperationCall(exchange, bodies, now, makeJournalWriter(exchange, bodies, now)),
        ),
      )
      if (claim) sandbox.idempotency.keep(claim, responseWithEcho, now)
      return responseWithEcho
    })
  } catch (error) {
    if (!(error instanceof Problem)) {
      sandbox.payments.load()
      throw error
    }
    const problemResponse = addEchoHeaders(
      wire,
      makeProblemResponse(error, { ...toResponseContext(exchange), now }),
    )
    if (claim)
      sandbox.store.transaction(() => sandbox.idempotency.keep(claim, problemResponse, now))
    return problemResponse
  }
}

function handleCall(exchange: OperationExchange, call: OperationCall): WireResponse {
  const { id, status = 200, answers, handle } = exchange.operation
  const responseContext = { ...toResponseContext(exchange), now: call.now }
  const operationResult = handle(call)
  return answers === 'array'
    ? makeListResponse(status, operationResult as ListResult<object>, id, responseContext)
    : makeObjectResponse(status, operationResult as object, id, responseContext)
}

function makeJournalWriter(
  { sandbox, operation, wire }: OperationExchange,
  bodies: RequestBodies,
  now: number,
): (effect: JournalEffect) => void {
  const bodySha256 = bodies.upload?.sha256 ?? bodies.body?.sha256 ?? null
  const effectOrigin = {
    at: toIsoTime(now),
    operation: operation.id,
    idempotencyKey: readHeader(wire, 'idempotency-key') ?? null,
    bodySha256,
  }
  return (effect) => sandbox.journal.write(effectOrigin, effect)
}

function buildOperationCall(
  exchange: OperationExchange,
  bodies: RequestBodies,
  now: number,
  effect: (effect: JournalEffect) => void,
): OperationCall {
  const { sandbox, dialect, operation, params, url, wire } = exchange
  for (const [name, value] of Object.entries(params)) {
    if (!uuidPattern.test(value))
      throw makeMalformedProblem(`${name} must be a UUID.`, name, 'must be a UUID')
  }
  const accountRowNumber = readAccountRowNumber(
    sandbox,
    dialect,
    operation.account,
    readAccountHeader(exchange),
  )
  const query = readQuery(operation.query ?? emptyQuerySchema, url.searchParams)
  const input =
    operation.input &&
    readJson(operation.input, bodies.body, readHeader(wire, 'content-type') ?? '')
  return {
    sandbox,
    params,
    query,
    input,
    account: accountRowNumber,
    upload: bodies.upload,
    now,
    effect,
  }
}

/** Throws a 403 if the environment or the kind of integration does not have the operation. */
function requireOfferedOperation({ sandbox, operation }: OperationExchange): void {
  if (operation.needsPlatform && sandbox.integration === 'account')
    throw makeForbiddenProblem('A direct account has no platform that could do this.')
  if (operation.only === 'sandbox' && sandbox.environment === 'production') {
    throw makeForbiddenProblem('This operation exists in the sandbox environment only.')
  }
}
