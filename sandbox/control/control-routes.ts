import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { createDialect } from '@/sandbox/dialects/dialects'
import { parseFault } from '@/sandbox/http/planned-faults'
import { Problem } from '@/sandbox/http/problem'
import { operations } from '@/sandbox/operations'
import { toPaymentView } from '@/sandbox/payments/payment-reads'
import { runTimers } from '@/sandbox/run-timers'
import type { Sandbox } from '@/sandbox/sandbox'
import { seedSandbox } from '@/sandbox/seed/seed-sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import { addComplianceRoutes } from './compliance-routes'
import {
  clockBodySchema,
  clockBounds,
  dialectBodySchema,
  journalQuerySchema,
  paymentBodySchema,
  rateLimitBodySchema,
  requestsQuerySchema,
  resetBodySchema,
} from './control-schemas'
import { makePayment } from './make-payment'
import { readControlBody, refuseWhileSeeding } from './read-control'
import { addWebhookRoutes } from './webhook-routes'

type HonoEnv = { Bindings: HttpBindings }

const loopbackAddressPattern = /^(127\.|::1$|::ffff:127\.)/

function sendErrorResponse(error: Error, context: Context<HonoEnv>) {
  if (error instanceof z.ZodError) {
    const fieldErrors = error.issues.map((issue) => ({
      field: issue.path.join('.') || 'body',
      detail: issue.message,
    }))
    return context.json(
      {
        error: fieldErrors.map(({ field, detail }) => `${field}: ${detail}`).join('; '),
        fields: fieldErrors,
      },
      400,
    )
  }
  if (error instanceof Problem)
    return context.json({ error: error.detail }, error.status === 404 ? 404 : 422)
  if (error instanceof HTTPException) return context.json({ error: error.message }, error.status)
  console.error('unexpected error', error.stack)
  return context.json({ error: 'unexpected error' }, 500)
}

const readClockState = ({ clock }: Sandbox) => ({
  now: toIsoTime(clock.now()),
  offset_ms: clock.offset,
  speed: clock.speed,
})

function addStateRoutes(app: Hono<HonoEnv>, sandbox: Sandbox): void {
  app.post('/reset', async (context) => {
    const requestedReset = await readControlBody(context, resetBodySchema)
    refuseWhileSeeding(sandbox)
    // If seeding fails, `ready` stays false: requests fail instead of reading partial data, and the
    // next start seeds again.
    sandbox.ready = false
    sandbox.plan = {
      seed: requestedReset.seed ?? sandbox.plan.seed,
      payments: requestedReset.payments ?? sandbox.plan.payments,
    }
    await seedSandbox(sandbox, () => undefined)
    sandbox.ready = true
    sandbox.requests.clear()
    sandbox.faults.clear()
    sandbox.rate.reset()
    return context.json(sandbox.plan)
  })
  app.get('/clock', (context) => context.json(readClockState(sandbox)))
  app.post('/clock', async (context) => {
    const { now, advance_seconds } = await readControlBody(context, clockBodySchema)
    refuseWhileSeeding(sandbox)
    const { clock } = sandbox
    const newTime =
      now === undefined ? clock.now() + Math.round((advance_seconds ?? 0) * 1000) : Date.parse(now)
    if (newTime < clockBounds.first || newTime >= clockBounds.last)
      throw new HTTPException(400, { message: 'the clock goes from 2000 to 2199' })
    clock.shift(newTime - Date.now())
    runTimers(sandbox)
    return context.json(readClockState(sandbox))
  })
  for (const type of ['charge', 'payout'] as const) {
    app.post(`/objects/${type}s`, async (context) => {
      const requestedPayment = await readControlBody(context, paymentBodySchema)
      refuseWhileSeeding(sandbox)
      const payment = sandbox.store.transaction(() =>
        makePayment(sandbox, type, requestedPayment, sandbox.clock.now()),
      )
      return context.json(
        { ...toPaymentView(sandbox, payment), account_id: sandbox.accounts.idOf(payment.account) },
        201,
      )
    })
  }
}

function addDialectRoutes(app: Hono<HonoEnv>, sandbox: Sandbox): void {
  const readDialectState = () => ({ name: sandbox.dialect.name, seed: sandbox.dialect.seed })
  app.get('/dialect', (context) => context.json(readDialectState()))
  app.post('/dialect', async (context) => {
    const { name, seed } = await readControlBody(context, dialectBodySchema)
    sandbox.dialect = createDialect(name, seed ?? sandbox.plan.seed)
    return context.json(readDialectState())
  })
}

function addFaultRoutes(app: Hono<HonoEnv>, sandbox: Sandbox): void {
  const operationIds = operations.map((operation) => operation.id)
  app.post('/faults', async (context) => {
    const requestedFault = await readControlBody(context, {
      parse: (input) => parseFault(input, operationIds),
    })
    return context.json({ id: sandbox.faults.add(requestedFault) }, 201)
  })
  app.get('/faults', (context) => {
    const listedFaults = sandbox.faults.list().map(({ effect, ...aim }) => ({ ...aim, ...effect }))
    return context.json({ data: listedFaults })
  })
  app.delete('/faults', (context) => {
    sandbox.faults.clear()
    return context.json({ data: [] })
  })
  app.delete('/faults/:id', (context) => {
    if (!sandbox.faults.remove(context.req.param('id')))
      throw new HTTPException(404, { message: 'no such fault' })
    return context.json({ data: [] })
  })
  app.post('/rate-limit', async (context) => {
    const { per_second } = await readControlBody(context, rateLimitBodySchema)
    sandbox.rate.set(per_second)
    return context.json({ per_second })
  })
}

function addLogRoutes(app: Hono<HonoEnv>, sandbox: Sandbox): void {
  app.get('/journal', (context) => {
    const { target, idempotency_key, since } = journalQuerySchema.parse(context.req.query())
    return context.json({
      data: sandbox.journal.read(target ?? null, idempotency_key ?? null, since),
    })
  })
  app.get('/requests', (context) => {
    const { since, path } = requestsQuerySchema.parse(context.req.query())
    return context.json({ data: sandbox.requests.read(since, path ?? null) })
  })
}

/** A test controls the sandbox with these routes. A request from another machine gets a 404. */
export function createControlRoutes(sandbox: Sandbox): Hono<HonoEnv> {
  const app = new Hono<HonoEnv>()
  app.use(async (context, next) => {
    if (!loopbackAddressPattern.test(context.env.incoming.socket.remoteAddress ?? ''))
      return context.notFound()
    await next()
  })
  app.onError(sendErrorResponse)
  addStateRoutes(app, sandbox)
  addDialectRoutes(app, sandbox)
  addFaultRoutes(app, sandbox)
  addLogRoutes(app, sandbox)
  addComplianceRoutes(app, sandbox)
  addWebhookRoutes(app, sandbox)
  return app
}
