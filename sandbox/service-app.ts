import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { controlRoutes } from './control/control-routes'
import { Problem } from './http/problem'
import type { RequestEntry } from './http/request-log'
import { serveOperation } from './http/serve-operation'
import { problemAnswer, unknownRoute, type WireAnswer } from './http/wire-answer'
import type { Operation } from './operation'
import { operations } from './operations'
import type { Sandbox } from './sandbox'
import { iso } from './store/clock'

type Env = { Bindings: HttpBindings; Variables: { entry: RequestEntry } }

/** Paths the provider has for other methods than the sandbox offers so far; asking them is 405, not 404. */
const knownPaths = ['/v1/payouts', '/v1/charges']

const responseOf = ({ status, headers, body }: WireAnswer) => new Response(body === '' ? null : body, { status, headers })

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : (value ?? null))

function logArrival(sandbox: Sandbox, incoming: HttpBindings['incoming']): RequestEntry {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?')
  const { headers } = incoming
  return sandbox.requests.add({
    at: iso(sandbox.clock.now()),
    method: incoming.method ?? '',
    path,
    query,
    request_id: one(headers['request-id']),
    correlation_id: one(headers['correlation-id']),
    account_header: one(headers['service-account-id']),
    idempotency_key: one(headers['idempotency-key']),
    has_authorization: headers.authorization !== undefined,
    ...{ body_sha256: null, body_bytes: 0, status: null, replayed: false, fault: null },
  })
}

function addOperation(app: Hono<Env>, sandbox: Sandbox, operation: Operation): void {
  app.on(operation.method, operation.path, async (context) => {
    const { incoming, outgoing } = context.env
    const url = new URL(incoming.url ?? '/', 'http://sandbox')
    const exchange = { sandbox, operation, wire: { incoming, outgoing }, params: context.req.param(), url, entry: context.get('entry') }
    // What is thrown here is a line the client cut while sending; there is nobody left to answer.
    await serveOperation(exchange).catch(() => incoming.socket.destroy())
    return RESPONSE_ALREADY_SENT
  })
}

/** The whole service over HTTP, made from the list of operations; `/sandbox/*` only when the control plane is on. */
export function serviceApp(sandbox: Sandbox, control: boolean): Hono<Env> {
  const app = new Hono<Env>()
  if (control) app.route('/sandbox', controlRoutes(sandbox))
  app.use('*', async (context, next) => {
    const { incoming } = context.env
    if ((incoming.url ?? '').startsWith('/sandbox/')) return await next()
    context.set('entry', logArrival(sandbox, incoming))
    if (!sandbox.ready) {
      const problem = new Problem(503, 'api_error', 'Service Unavailable', 'The sandbox is being seeded.')
      return responseOf(problemAnswer(problem, sandbox.clock.now()))
    }
    await next()
    const entry = context.get('entry')
    entry.status ??= context.res.status
  })
  for (const operation of operations) addOperation(app, sandbox, operation)
  for (const path of new Set([...operations.map((operation) => operation.path), ...knownPaths])) {
    const allow = operations.filter((operation) => operation.path === path).map((operation) => operation.method)
    app.all(path, () => new Response(null, { status: 405, headers: { allow: allow.length > 0 ? allow.join(', ') : 'POST' } }))
  }
  app.notFound(() => responseOf(unknownRoute()))
  return app
}
