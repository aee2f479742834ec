import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { createBridgeRoutes } from '@/sandbox/bridge/bridge-routes'
import { createControlRoutes } from '@/sandbox/control/control-routes'
import { toDialectOperation, toDialectOperations } from '@/sandbox/dialects/dialect-operation'
import { readEchoHeaders } from '@/sandbox/http/idempotency'
import type { RequestLogEntry } from '@/sandbox/http/journal'
import { isOwnHost } from '@/sandbox/http/own-host'
import { makeNotReadyProblem } from '@/sandbox/http/problem'
import {
  makeProblemResponse,
  makeUnknownRouteResponse,
  type WireResponse,
} from '@/sandbox/http/send-response'
import { serveOperation } from '@/sandbox/http/serve-operation'
import { createDocumentationRoutes } from '@/sandbox/openapi/documentation-routes'
import { toIsoTime } from '@/sandbox/store/clock'
import type { EnvironmentSettings } from './environment-settings'
import type { Operation } from './operation'
import { operations } from './operations'
import type { Sandbox } from './sandbox'

type ServiceAppEnv = { Bindings: HttpBindings; Variables: { entry: RequestLogEntry } }

const toResponse = ({ status, headers, body }: WireResponse, incoming: HttpBindings['incoming']) =>
  new Response(body === '' ? null : body, {
    status,
    headers: { ...headers, ...readEchoHeaders(incoming) },
  })

const joinHeaderValues = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join(', ') : (value ?? null)

/** Parameters with tokens or personal data. The request log hides their values. */
const hiddenQueryParameters = ['paykey', 'name', 'email', 'search_text']

function toLoggedQuery(query: string): string {
  const params = new URLSearchParams(query)
  const hiddenNames = hiddenQueryParameters.filter((name) => params.has(name))
  for (const name of hiddenNames) params.set(name, '***')
  return (hiddenNames.length > 0 ? params.toString() : query).slice(0, 1_000)
}

function addRequestLogEntry(sandbox: Sandbox, incoming: HttpBindings['incoming']): RequestLogEntry {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?')
  const { headers } = incoming
  return sandbox.requests.add({
    at: toIsoTime(sandbox.clock.now()),
    method: incoming.method ?? '',
    path: path.slice(0, 1_000),
    query: toLoggedQuery(query),
    request_id: joinHeaderValues(headers['request-id']),
    correlation_id: joinHeaderValues(headers['correlation-id']),
    account_header: joinHeaderValues(headers[sandbox.dialect.account.name.toLowerCase()]),
    idempotency_key: joinHeaderValues(headers['idempotency-key']),
    has_authorization: headers.authorization !== undefined,
    ...{ body_sha256: null, body_bytes: 0, status: null, replayed: false, fault: null },
  })
}

const makeNotAllowedResponse = (
  allowed: readonly Operation[],
  incoming: HttpBindings['incoming'],
) =>
  toResponse(
    { status: 405, headers: { allow: allowed.map(({ method }) => method).join(', ') }, body: '' },
    incoming,
  )

function addOperationRoute(app: Hono<ServiceAppEnv>, sandbox: Sandbox, operation: Operation): void {
  app.on(operation.method, operation.path, async (context, next) => {
    const { incoming, outgoing } = context.env
    const { dialect } = sandbox
    const dialectOperation = toDialectOperation(dialect, operation)
    if (!dialectOperation) return await next()
    // Reject HEAD here: Hono passes a HEAD request to the handler of GET, and the response would be
    // sent twice.
    if (incoming.method === 'HEAD') return makeNotAllowedResponse([operation], incoming)
    const url = new URL(incoming.url ?? '/', 'http://sandbox')
    const httpMessages = { incoming, outgoing }
    const operationExchange = {
      sandbox,
      dialect,
      operation: dialectOperation,
      wire: httpMessages,
      params: context.req.param(),
      url,
      entry: context.get('entry'),
    }
    // `serveOperation` rejects only if the client closed the connection while it was sending. No
    // response is possible then.
    await serveOperation(operationExchange).catch(() => incoming.socket.destroy())
    return RESPONSE_ALREADY_SENT
  })
}

/** The response to a foreign Host header. The real service has no such response. */
const makeMisdirectedResponse = () =>
  new Response('The sandbox answers to the name it listens on and to loopback names\n', {
    status: 421,
  })

export function createServiceApp(
  sandbox: Sandbox,
  { control, host, 'bridge-origin': bridgeOrigins }: EnvironmentSettings,
): Hono<ServiceAppEnv> {
  const app = new Hono<ServiceAppEnv>()
  app.use('*', async ({ env: { incoming } }, next) => {
    if (!isOwnHost(incoming.headersDistinct.host, host, incoming.socket.localAddress))
      return makeMisdirectedResponse()
    await next()
  })
  if (control) app.route('/sandbox', createControlRoutes(sandbox))
  app.route('/', createDocumentationRoutes(sandbox, control))
  app.route('/', createBridgeRoutes(sandbox, bridgeOrigins))
  app.use('*', async (context, next) => {
    const { incoming } = context.env
    if ((incoming.url ?? '').startsWith('/sandbox/')) return await next()
    context.set('entry', addRequestLogEntry(sandbox, incoming))
    if (!sandbox.ready) {
      return toResponse(
        makeProblemResponse(makeNotReadyProblem(), {
          dialect: sandbox.dialect,
          now: sandbox.clock.now(),
          accept: incoming.headers.accept,
        }),
        incoming,
      )
    }
    await next()
    const requestLogEntry = context.get('entry')
    requestLogEntry.status ??= context.res.status
  })
  // Register all methods of a path and its 405 response together. Otherwise a path with a parameter
  // could match before the 405 of a fixed path.
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const pathOperations = operations.filter((operation) => operation.path === path)
    for (const operation of pathOperations) addOperationRoute(app, sandbox, operation)
    app.all(path, async (context, next) => {
      const dialectOperations = toDialectOperations(sandbox.dialect, pathOperations)
      if (dialectOperations.length === 0) return await next()
      return makeNotAllowedResponse(dialectOperations, context.env.incoming)
    })
  }
  app.notFound((context) => toResponse(makeUnknownRouteResponse(), context.env.incoming))
  return app
}
