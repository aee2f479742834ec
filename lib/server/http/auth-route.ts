import 'server-only'
import { NextRequest } from 'next/server'
import { AppError } from '@/lib/errors'
import { handleAuthRequest, handleSsoRequest } from '@/lib/server/auth/session'
import { env } from '@/lib/server/config/env'
import { createRequestId } from '@/lib/server/service/request'
import { readCappedText } from './input'
import { answerError, respondError } from './respond'
import { serveSsoReturn } from './sso-route'

type RouteContext = { params: Promise<{ nextauth: string[] }> }

/** Maximum size of a form body (bytes): an email address, a password and a token. */
const maxFormBytes = 8192

/**
 * The next-auth actions that are served, each with its method. Others, such as the log and the
 * pages of next-auth, get `not_found`.
 */
const servedMethods: Readonly<Record<string, 'GET' | 'POST'>> = {
  csrf: 'GET',
  session: 'GET',
  'callback/credentials': 'POST',
  signout: 'POST',
}

/** Additional actions if single sign-on is configured. */
const ssoMethods: typeof servedMethods = { 'signin/sso': 'POST', 'callback/sso': 'GET' }

const findServedMethod = (action: string): 'GET' | 'POST' | undefined => {
  const methods = env().sso ? { ...servedMethods, ...ssoMethods } : servedMethods
  return Object.hasOwn(methods, action) ? methods[action] : undefined
}

/**
 * Form fields that are passed to next-auth. `callbackUrl` is used only after the return from an
 * identity provider. After other sign-ins, the page decides where to go.
 */
const passedFieldNames = ['csrfToken', 'email', 'password', 'json', 'callbackUrl']

async function readForm(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('bad_request', 'Content-Type: must be application/x-www-form-urlencoded')
  }
  return new URLSearchParams(await readCappedText(request, maxFormBytes))
}

const pickPassedFields = (form: URLSearchParams) =>
  new URLSearchParams(
    passedFieldNames.flatMap((name) => form.getAll(name).map((value) => [name, value])),
  )

/**
 * Returns the request that next-auth gets: without a query, and with only the allowed form fields.
 */
function cleanRequest(request: Request, form: URLSearchParams | null): Request {
  const { origin, pathname } = new URL(request.url)
  const url = `${origin}${pathname}`
  if (!form) return new NextRequest(url, { method: 'GET', headers: request.headers })
  return new NextRequest(url, {
    method: 'POST',
    headers: request.headers,
    body: pickPassedFields(form),
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

/**
 * Serves the next-auth actions that Paydesk uses. Anyone can call them, so bodies are limited and
 * errors have Paydesk's form.
 */
export async function serveAuth(request: Request, context: RouteContext): Promise<Response> {
  const requestId = createRequestId()
  try {
    const { nextauth } = await context.params
    const action = nextauth.join('/')
    const method = findServedMethod(action)
    if (!method) return serveNothing()
    const routeContext = { params: Promise.resolve({ nextauth }) }
    if (action === 'callback/sso') {
      return request.method === 'GET'
        ? await serveSsoReturn(request, routeContext, requestId)
        : refuseMethod(method, requestId)
    }
    if ((request.method === 'HEAD' ? 'GET' : request.method) !== method)
      return refuseMethod(method, requestId)
    const form = method === 'POST' ? await readForm(request) : null
    const cleanedRequest = cleanRequest(request, form)
    if (action !== 'signin/sso') return await handleAuthRequest(cleanedRequest, routeContext)
    return (
      await handleSsoRequest(cleanedRequest, routeContext, 'there', form?.get('fresh') === 'true')
    ).response
  } catch (error) {
    return answerError(error, { name: 'session.sign_in' }, request, requestId)
  }
}

export const serveNothing = (): Response =>
  respondError(new AppError('not_found', 'There is no such address'), createRequestId())
