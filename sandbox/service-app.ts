import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { bridgeRoutes } from '@/sandbox/bridge/bridge-routes'
import { controlRoutes } from '@/sandbox/control/control-routes'
import { spokenOperation, spokenOperations } from '@/sandbox/dialects/spoken-operation'
import { echoesOf } from '@/sandbox/http/idempotency'
import type { RequestEntry } from '@/sandbox/http/journal'
import { isOwnHost } from '@/sandbox/http/own-host'
import { notReady } from '@/sandbox/http/problem'
import { problemAnswer, unknownRoute, type WireAnswer } from '@/sandbox/http/send-answer'
import { serveOperation } from '@/sandbox/http/serve-operation'
import { documentationRoutes } from '@/sandbox/openapi/documentation-routes'
import { iso } from '@/sandbox/store/clock'
import type { Operation } from './operation'
import { operations } from './operations'
import type { Sandbox } from './sandbox'
import type { World } from './worlds'

type Env = { Bindings: HttpBindings; Variables: { entry: RequestEntry } }

const responseOf = ({ status, headers, body }: WireAnswer, incoming: HttpBindings['incoming']) =>
  new Response(body === '' ? null : body, { status, headers: { ...headers, ...echoesOf(incoming) } })

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : (value ?? null))

/** Query parameters with tokens or personal data. The request log contains their names but not their values. */
const hidden = ['paykey', 'name', 'email', 'search_text']

function loggedQuery(query: string): string {
  const params = new URLSearchParams(query)
  const named = hidden.filter((name) => params.has(name))
  for (const name of named) params.set(name, '***')
  return (named.length > 0 ? params.toString() : query).slice(0, 1_000)
}

function logArrival(sandbox: Sandbox, incoming: HttpBindings['incoming']): RequestEntry {
  const [path = '/', query = ''] = (incoming.url ?? '/').split('?')
  const { headers } = incoming
  return sandbox.requests.add({
    at: iso(sandbox.clock.now()),
    method: incoming.method ?? '',
    path: path.slice(0, 1_000),
    query: loggedQuery(query),
    request_id: one(headers['request-id']),
    correlation_id: one(headers['correlation-id']),
    account_header: one(headers[sandbox.dialect.account.name.toLowerCase()]),
    idempotency_key: one(headers['idempotency-key']),
    has_authorization: headers.authorization !== undefined,
    ...{ body_sha256: null, body_bytes: 0, status: null, replayed: false, fault: null },
  })
}

const notAllowed = (allowed: readonly Operation[], incoming: HttpBindings['incoming']) =>
  responseOf({ status: 405, headers: { allow: allowed.map(({ method }) => method).join(', ') }, body: '' }, incoming)

function addOperation(app: Hono<Env>, sandbox: Sandbox, operation: Operation): void {
  app.on(operation.method, operation.path, async (context, next) => {
    const { incoming, outgoing } = context.env
    const { dialect } = sandbox
    const spoken = spokenOperation(dialect, operation)
    if (!spoken) return await next()
    // The router passes HEAD to GET, which would respond twice.
    if (incoming.method === 'HEAD') return notAllowed([operation], incoming)
    const url = new URL(incoming.url ?? '/', 'http://sandbox')
    const wire = { incoming, outgoing }
    const exchange = { sandbox, dialect, operation: spoken, wire, params: context.req.param(), url, entry: context.get('entry') }
    // An error here means that the client closed the connection while sending. No response is possible.
    await serveOperation(exchange).catch(() => incoming.socket.destroy())
    return RESPONSE_ALREADY_SENT
  })
}

/** Returns the 421 for a foreign Host header. The provider has no such response. */
const misdirected = () => new Response('The sandbox answers to the name it listens on and to loopback names\n', { status: 421 })

export function serviceApp(sandbox: Sandbox, { control, host, 'bridge-origin': bridgeOrigins }: World): Hono<Env> {
  const app = new Hono<Env>()
  app.use('*', async ({ env: { incoming } }, next) => {
    if (!isOwnHost(incoming.headersDistinct.host, host, incoming.socket.localAddress)) return misdirected()
    await next()
  })
  if (control) app.route('/sandbox', controlRoutes(sandbox))
  app.route('/', documentationRoutes(sandbox, control))
  app.route('/', bridgeRoutes(sandbox, bridgeOrigins))
  app.use('*', async (context, next) => {
    const { incoming } = context.env
    if ((incoming.url ?? '').startsWith('/sandbox/')) return await next()
    context.set('entry', logArrival(sandbox, incoming))
    if (!sandbox.ready) {
      return responseOf(
        problemAnswer(notReady(), { dialect: sandbox.dialect, now: sandbox.clock.now(), accept: incoming.headers.accept }),
        incoming,
      )
    }
    await next()
    const entry = context.get('entry')
    entry.status ??= context.res.status
  })
  // Register all methods of a path together. A fixed path, and its 405, then match before a path with a parameter.
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const ofPath = operations.filter((operation) => operation.path === path)
    for (const operation of ofPath) addOperation(app, sandbox, operation)
    app.all(path, async (context, next) => {
      const spoken = spokenOperations(sandbox.dialect, ofPath)
      if (spoken.length === 0) return await next()
      return notAllowed(spoken, context.env.incoming)
    })
  }
  app.notFound((context) => responseOf(unknownRoute(), context.env.incoming))
  return app
}
