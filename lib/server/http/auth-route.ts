import 'server-only'
import { NextRequest } from 'next/server'
import { AppError } from '@/lib/errors'
import { handleAuthRequest, handleSsoRequest } from '@/lib/server/auth/session'
import { env } from '@/lib/server/config/env'
import { createRequestId } from '@/lib/server/service/request'
import { readCappedText } from './input'
import { respondAuditedError, respondError } from './respond'
import { serveSsoReturn } from './sso-route'

type RouteContext = { params: Promise<{ nextauth: string[] }> }

/** A form contains an email address, a password and a token, so few bytes are enough. */
const maxFormBytes = 8192

/** Other actions, such as the log and the pages of next-auth, get `not_found`. */
const methodByServedAction: Readonly<Record<string, 'GET' | 'POST'>> = {
  csrf: 'GET',
  session: 'GET',
  'callback/credentials': 'POST',
  signout: 'POST',
}

const methodBySsoAction: typeof methodByServedAction = {
  'signin/sso': 'POST',
  'callback/sso': 'GET',
}

const findServedMethod = (action: string): 'GET' | 'POST' | undefined => {
  const methodByAction = env().sso
    ? { ...methodByServedAction, ...methodBySsoAction }
    : methodByServedAction
  return Object.hasOwn(methodByAction, action) ? methodByAction[action] : undefined
}

/**
 * The only form fields that next-auth gets. `callbackUrl` is used only after the return from an
 * identity provider. After other sign-ins, the page decides where to go.
 */
const forwardedFieldNames = ['csrfToken', 'email', 'password', 'json', 'callbackUrl']

async function readForm(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('bad_request', 'Content-Type: must be application/x-www-form-urlencoded')
  }
  return new URLSearchParams(await readCappedText(request, maxFormBytes))
}

const pickForwardedFields = (form: URLSearchParams) =>
  new URLSearchParams(
    forwardedFieldNames.flatMap((name) => form.getAll(name).map((value) => [name, value])),
  )

/**
 * Builds the request that next-auth gets: without a query, and with only the allowed form fields.
 */
function buildForwardedRequest(request: Request, form: URLSearchParams | null): Request {
  const { origin, pathname } = new URL(request.url)
  const url = `${origin}${pathname}`
  if (!form) return new NextRequest(url, { method: 'GET', headers: request.headers })
  return new NextRequest(url, {
    method: 'POST',
    headers: request.headers,
    body: pickForwardedFields(form),
  })
}

function refuseMethod(method: string, requestId: string): Response {
  const response = respondError(
    new AppError('method_not_allowed', `This address takes ${method}`),
    requestId,
  )
  response.headers.set('allow', method)
  return response
}

/** Serves the sign-in actions of next-auth. Anyone can call them, so their bodies are limited. */
export async function serveAuth(request: Request, context: RouteContext): Promise<Response> {
  const requestId = createRequestId()
  try {
    const { nextauth } = await context.params
    const authAction = nextauth.join('/')
    const method = findServedMethod(authAction)
    if (!method) return respondNotFound()
    const routeContext = { params: Promise.resolve({ nextauth }) }
    if (authAction === 'callback/sso') {
      return request.method === 'GET'
        ? await serveSsoReturn(request, routeContext, requestId)
        : refuseMethod(method, requestId)
    }
    if ((request.method === 'HEAD' ? 'GET' : request.method) !== method)
      return refuseMethod(method, requestId)
    const form = method === 'POST' ? await readForm(request) : null
    const forwardedRequest = buildForwardedRequest(request, form)
    if (authAction !== 'signin/sso') return await handleAuthRequest(forwardedRequest, routeContext)
    return (
      await handleSsoRequest(forwardedRequest, routeContext, 'there', form?.get('fresh') === 'true')
    ).response
  } catch (error) {
    return respondAuditedError(error, { name: 'session.sign_in' }, request, requestId)
  }
}

export const respondNotFound = (): Response =>
  respondError(new AppError('not_found', 'There is no such address'), createRequestId())
