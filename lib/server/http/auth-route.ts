import 'server-only'
import { NextRequest } from 'next/server'
import { AppError } from '@/lib/errors'
import { authHandler } from '@/lib/server/auth/session'
import { newRequestId } from '@/lib/server/service/request'
import { readCapped } from './input'
import { answerError, respondError } from './respond'

type Context = { params: Promise<{ nextauth: string[] }> }

/** Bodies in front of a session hold an address, a password and a token (bytes). */
const mostForm = 8192

/**
 * What next-auth is asked for, and by which method; a provider that signs in elsewhere adds `signin/<id>` and `callback/<id>` here. Everything
 * else that it would answer (its log, pages and list of providers among them) does not exist.
 */
const served: Readonly<Record<string, 'GET' | 'POST'>> = {
  csrf: 'GET',
  session: 'GET',
  'callback/credentials': 'POST',
  signout: 'POST',
}

/** The fields that next-auth gets. Its others only say where to go afterwards, and that is decided by the page. */
const passed = ['csrfToken', 'email', 'password', 'json']

async function formOf(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('bad_request', 'Content-Type: must be application/x-www-form-urlencoded')
  }
  const given = new URLSearchParams(await readCapped(request, mostForm))
  return new URLSearchParams(passed.flatMap((name) => given.getAll(name).map((value) => [name, value])))
}

/** The request as next-auth may see it: without a query, and with a body that is whole and small. */
async function cleanRequest(request: Request): Promise<Request> {
  const { origin, pathname } = new URL(request.url)
  const url = `${origin}${pathname}`
  if (request.method !== 'POST') return new NextRequest(url, { method: 'GET', headers: request.headers })
  return new NextRequest(url, { method: 'POST', headers: request.headers, body: await formOf(request) })
}

function refuseMethod(method: string, requestId: string): Response {
  const response = respondError(new AppError('method_not_allowed', `This address takes ${method}`), requestId)
  response.headers.set('allow', method)
  return response
}

/** Serves the few things of next-auth that Paydesk uses. Nobody has a session here yet, so all of it is small, bounded and in one error shape. */
export async function serveAuth(request: Request, context: Context): Promise<Response> {
  const requestId = newRequestId()
  try {
    const { nextauth } = await context.params
    const action = nextauth.join('/')
    const method = Object.hasOwn(served, action) ? served[action] : undefined
    if (!method) return serveNothing()
    if ((request.method === 'HEAD' ? 'GET' : request.method) !== method) return refuseMethod(method, requestId)
    return await authHandler(await cleanRequest(request), { params: Promise.resolve({ nextauth }) })
  } catch (error) {
    return answerError(error, { name: 'session.sign_in' }, request, requestId)
  }
}

export const serveNothing = (): Response => respondError(new AppError('not_found', 'There is no such address'), newRequestId())
