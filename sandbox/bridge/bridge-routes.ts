import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { documentedDialect } from '@/sandbox/dialects/dialect'
import {
  makeForbiddenProblem,
  makeNotReadyProblem,
  makeUnauthorizedProblem,
  Problem,
} from '@/sandbox/http/problem'
import { readBody, readJson } from '@/sandbox/http/read-body'
import {
  makeObjectResponse,
  type ResponseContext,
  toErrorResponse,
  type WireResponse,
} from '@/sandbox/http/send-response'
import { revealPaykey } from '@/sandbox/paykeys/move-paykey'
import type { PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { renderBridgePage, renderRefusalPage } from './bridge-page'
import { bridgeScript } from './bridge-script'
import { bridgeStyle } from './bridge-style'
import {
  type BridgeClaims,
  getFrameOrigin,
  isAllowedFrameOrigin,
  verifyBridgeToken,
} from './bridge-token'
import { linkBankAccountFromPage, linkChoiceSchema, requireUsableToken } from './link-from-page'

type HonoEnv = { Bindings: HttpBindings }

/** The page's URL contains a token, so responses are not cached and no referrer is sent. */
const securityHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const makePageHeaders = (framingOrigin: string | undefined): Record<string, string> => ({
  ...securityHeaders,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    ...[
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      'img-src data:',
    ],
    ...["base-uri 'none'", "form-action 'none'", `frame-ancestors ${framingOrigin ?? "'none'"}`],
  ].join('; '),
})

function refuseWhileSeeding(sandbox: Sandbox): void {
  if (!sandbox.ready) throw makeNotReadyProblem()
}

async function readUsableClaims(sandbox: Sandbox, token: string): Promise<BridgeClaims> {
  const claims = await verifyBridgeToken(sandbox, token)
  requireUsableToken(sandbox, claims)
  return claims
}

/** Returns what the page shows. Only a Problem's text is public; any other error is logged. */
function toRefusalDetails(error: unknown): { status: number; detail: string } {
  if (error instanceof Problem) return { status: error.status, detail: error.detail }
  console.error('unexpected error', error instanceof Error ? error.stack : 'unknown')
  return { status: 500, detail: 'Something went wrong on our side.' }
}

async function servePage(
  sandbox: Sandbox,
  allowedOrigins: readonly string[],
  context: Context<HonoEnv>,
): Promise<Response> {
  const frameRequest = {
    referer: context.req.header('referer'),
    destination: context.req.header('sec-fetch-dest'),
  }
  const frameOrigin = getFrameOrigin(context.req.query('origin'), frameRequest)
  if (frameOrigin !== undefined && !isAllowedFrameOrigin(frameOrigin, allowedOrigins)) {
    const refusal = {
      status: 403,
      detail: 'The bank connection may not be opened from this address.',
    }
    return new Response(renderRefusalPage(refusal, undefined), {
      status: refusal.status,
      headers: makePageHeaders(undefined),
    })
  }
  try {
    refuseWhileSeeding(sandbox)
    const claims = await readUsableClaims(sandbox, context.req.query('token') ?? '')
    return new Response(renderBridgePage(claims, frameOrigin), {
      status: 200,
      headers: makePageHeaders(frameOrigin),
    })
  } catch (error) {
    const refusal = toRefusalDetails(error)
    return new Response(renderRefusalPage(refusal, frameOrigin), {
      status: refusal.status,
      headers: makePageHeaders(frameOrigin),
    })
  }
}

/** The customer's token is valid for the hosted page only, so other origins get a 403. */
function requireSameOrigin(context: Context<HonoEnv>): void {
  const fetchSite = context.req.header('sec-fetch-site')
  const ownOrigin = new URL(context.req.url).origin
  if (
    context.req.header('origin') === ownOrigin &&
    (fetchSite === undefined || fetchSite === 'same-origin')
  )
    return
  throw makeForbiddenProblem('Only the hosted page itself may send this.')
}

/** The page sends this to its parent window, with the unmasked token (provider-facts 1.2). */
function toSuccessMessagePayload(entry: PaykeyEntry) {
  const {
    id,
    paykey,
    customer_id,
    label,
    institution_name,
    source,
    status,
    bank_data,
    created_at,
    updated_at,
  } = revealPaykey(entry)
  return {
    id,
    paykey,
    customer_id,
    label,
    institution_name,
    source,
    status,
    bank_data,
    created_at,
    updated_at,
  }
}

/**
 * The hosted page gets responses in the documented format, whichever dialect (wire format) the API
 * uses.
 */
const makeResponseContext = (now: number): ResponseContext => ({ dialect: documentedDialect, now })

async function linkBankAccount(sandbox: Sandbox, context: Context<HonoEnv>): Promise<WireResponse> {
  requireSameOrigin(context)
  const body = await readBody(context.env.incoming)
  refuseWhileSeeding(sandbox)
  const token = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
  if (!token) throw makeUnauthorizedProblem('No bridge token was given.')
  const claims = await verifyBridgeToken(sandbox, token)
  const linkChoice = readJson(linkChoiceSchema, body, context.req.header('content-type') ?? '')
  const now = sandbox.clock.now()
  const paykeyEntry = sandbox.store.transaction(() =>
    linkBankAccountFromPage(sandbox, claims, { choice: linkChoice, bodySha256: body.sha256 }, now),
  )
  return makeObjectResponse(
    201,
    toSuccessMessagePayload(paykeyEntry),
    'bridge.page',
    makeResponseContext(now),
  )
}

/**
 * Serves the hosted page where a customer links a bank account, in a frame or its own window.
 * Without configured origins, any origin on this machine may frame it. The request log omits these
 * requests, because the page's URL contains the token.
 */
export function createBridgeRoutes(
  sandbox: Sandbox,
  allowedOrigins: readonly string[],
): Hono<HonoEnv> {
  const app = new Hono<HonoEnv>()
  app.get('/bridge', (context) => servePage(sandbox, allowedOrigins, context))
  app.get('/bridge/page.js', (context) =>
    context.body(bridgeScript, 200, {
      ...securityHeaders,
      'content-type': 'text/javascript; charset=utf-8',
    }),
  )
  app.get('/bridge/page.css', (context) =>
    context.body(bridgeStyle, 200, {
      ...securityHeaders,
      'content-type': 'text/css; charset=utf-8',
    }),
  )
  app.post('/bridge/paykeys', async (context) => {
    const { status, headers, body } = await linkBankAccount(sandbox, context).catch(
      (error: unknown) => {
        if (!(error instanceof Problem)) toRefusalDetails(error)
        return toErrorResponse(error, makeResponseContext(sandbox.clock.now()))
      },
    )
    return new Response(body, { status, headers: { ...headers, ...securityHeaders } })
  })
  for (const [path, allow] of [
    ['/bridge', 'GET'],
    ['/bridge/paykeys', 'POST'],
  ] as const) {
    app.all(path, () => new Response(null, { status: 405, headers: { ...securityHeaders, allow } }))
  }
  return app
}
