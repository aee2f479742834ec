import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { parseFault } from '@/sandbox/http/fault-book'
import { Problem } from '@/sandbox/http/problem'
import { operations } from '@/sandbox/operations'
import { moveByClock } from '@/sandbox/payments/move-by-clock'
import { paymentView } from '@/sandbox/payments/payment-view'
import type { Sandbox } from '@/sandbox/sandbox'
import { seedSandbox } from '@/sandbox/seed/seed-sandbox'
import { iso } from '@/sandbox/store/clock'
import { clockBody, journalQuery, payoutBody, rateBody, requestsQuery, resetBody } from './control-schemas'
import { makePayout } from './make-payout'

type Env = { Bindings: HttpBindings }

const loopback = /^(127\.|::1$|::ffff:127\.)/

/**
 * The control plane's JSON. Only application/json is taken: a web page cannot send that to another origin without asking first, so no
 * page a developer has open can reset their sandbox. Throws 400 or ZodError.
 */
async function readControl<T>(context: Context<Env>, read: (input: unknown) => T): Promise<T> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new HTTPException(400, { message: 'the Content-Type must be application/json' })
  }
  const text = await context.req.text()
  try {
    return read(text.trim() === '' ? {} : JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new HTTPException(400, { message: 'the body is not valid JSON' })
    throw error
  }
}

function refuse(error: Error, context: Context<Env>) {
  if (error instanceof z.ZodError) {
    const fields = error.issues.map((issue) => ({ field: issue.path.join('.') || 'body', detail: issue.message }))
    return context.json({ error: fields.map(({ field, detail }) => `${field}: ${detail}`).join('; '), fields }, 400)
  }
  if (error instanceof Problem) return context.json({ error: error.detail }, error.status === 404 ? 404 : 422)
  if (error instanceof HTTPException) return context.json({ error: error.message }, error.status)
  console.error('unexpected error', error.stack)
  return context.json({ error: 'unexpected error' }, 500)
}

function refuseWhileSeeding(sandbox: Sandbox): void {
  if (!sandbox.ready) throw new HTTPException(409, { message: 'a seeding is running; wait until it has ended' })
}

function addWorld(app: Hono<Env>, sandbox: Sandbox): void {
  app.post('/reset', async (context) => {
    const wish = await readControl(context, (input) => resetBody.parse(input))
    refuseWhileSeeding(sandbox)
    // It stays false when the seeding fails: half a platform must not be served, and the next start seeds anew.
    sandbox.ready = false
    sandbox.plan = { seed: wish.seed ?? sandbox.plan.seed, payments: wish.payments ?? sandbox.plan.payments }
    await seedSandbox(sandbox, () => undefined)
    sandbox.ready = true
    sandbox.requests.clear()
    sandbox.faults.clear()
    sandbox.rate.set(null)
    return context.json(sandbox.plan)
  })
  app.get('/clock', (context) => context.json({ now: iso(sandbox.clock.now()), offset_ms: sandbox.clock.offset }))
  app.post('/clock', async (context) => {
    const { now, advance_seconds } = await readControl(context, (input) => clockBody.parse(input))
    const { clock } = sandbox
    clock.shift(now === undefined ? clock.offset + Math.round((advance_seconds ?? 0) * 1000) : Date.parse(now) - Date.now())
    moveByClock(sandbox)
    return context.json({ now: iso(clock.now()), offset_ms: clock.offset })
  })
  app.post('/objects/payouts', async (context) => {
    const wish = await readControl(context, (input) => payoutBody.parse(input))
    refuseWhileSeeding(sandbox)
    const payout = sandbox.store.transaction(() => makePayout(sandbox, wish, sandbox.clock.now()))
    return context.json({ ...paymentView(sandbox, payout), account_id: sandbox.accounts.idOf(payout.account) }, 201)
  })
}

function addDisturbance(app: Hono<Env>, sandbox: Sandbox): void {
  const known = operations.map((operation) => operation.id)
  app.post('/faults', async (context) => {
    const fault = await readControl(context, (input) => parseFault(input, known))
    return context.json({ id: sandbox.faults.add(fault) }, 201)
  })
  app.get('/faults', (context) => {
    const data = sandbox.faults.list().map(({ effect, ...aim }) => ({ ...aim, ...effect }))
    return context.json({ data })
  })
  app.delete('/faults', (context) => {
    sandbox.faults.clear()
    return context.json({ data: [] })
  })
  app.post('/rate-limit', async (context) => {
    const { per_second } = await readControl(context, (input) => rateBody.parse(input))
    sandbox.rate.set(per_second)
    return context.json({ per_second })
  })
}

function addRecords(app: Hono<Env>, sandbox: Sandbox): void {
  app.get('/journal', (context) => {
    const { target, idempotency_key } = journalQuery.parse(context.req.query())
    return context.json({ data: sandbox.journal.read(target ?? null, idempotency_key ?? null) })
  })
  app.get('/requests', (context) => {
    const { since, path } = requestsQuery.parse(context.req.query())
    return context.json({ data: sandbox.requests.read(since, path ?? null) })
  })
}

/** The routes under /sandbox: world, disturbance and records. Anything that does not come from this machine gets the unknown-route page. */
export function controlRoutes(sandbox: Sandbox): Hono<Env> {
  const app = new Hono<Env>()
  app.use(async (context, next) => {
    if (!loopback.test(context.env.incoming.socket.remoteAddress ?? '')) return context.notFound()
    await next()
  })
  app.onError(refuse)
  addWorld(app, sandbox)
  addDisturbance(app, sandbox)
  addRecords(app, sandbox)
  return app
}
