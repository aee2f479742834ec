import { setTimeout as pause } from 'node:timers/promises'
import type { ApiAnswer } from '@/lib/operations/answer'

export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

/**
 * Returns a function that sends requests to one dashboard and keeps its cookies in `jar`. Adds
 * `extraHeaders` to every request. `jar` may already contain cookies of an earlier visit.
 */
export function createVisitor(
  baseUrl: string,
  extraHeaders: Record<string, string> = {},
  jar = new Map<string, string>(),
) {
  async function sendWithCookies(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers({
      cookie,
      origin: baseUrl,
      'sec-fetch-site': 'same-origin',
      ...extraHeaders,
      ...(init.headers as Record<string, string>),
    })
    const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const equalsIndex = pair.indexOf('=')
      jar.set(pair.slice(0, equalsIndex), pair.slice(equalsIndex + 1))
    }
    return response
  }
  return { send: sendWithCookies, jar }
}

/**
 * Returns the challenge with which a response requires step-up (a second confirmation of the
 * person). Null if the response requires none.
 */
export async function readStepUpChallenge(
  response: Response,
): Promise<{ challenge: string; methods: string[]; webauthn: unknown } | null> {
  if (response.status !== 403) return null
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as ApiAnswer<unknown> | null
  const stepUp = body?.error?.step_up
  return stepUp
    ? { challenge: stepUp.challenge, methods: [...stepUp.methods], webauthn: stepUp.webauthn }
    : null
}

/**
 * Returns a function that sends requests. If a response requires step-up, the function confirms it
 * with the password and sends the request again.
 */
export function addPasswordStepUp(send: SendRequest, password: string): SendRequest {
  let runningConfirmation: Promise<unknown> | null = null
  const confirmPassword = async (path: string, challenge: string) => {
    const [, environment = 'sandbox'] = /^\/api\/(\w+)\//.exec(path) ?? []
    const body = JSON.stringify({ method: 'password', password })
    const headers = { 'content-type': 'application/json' }
    const { ok } = await send(`/api/${environment}/desk/step-ups/${challenge}`, {
      method: 'POST',
      headers,
      body,
    })
    return ok
  }
  const sendWithStepUp: SendRequest = async (path, init = {}) => {
    const firstResponse = await send(path, init)
    const stepUp = await readStepUpChallenge(firstResponse)
    if (!stepUp?.methods.includes('password')) return firstResponse
    if (runningConfirmation) {
      // Confirms one challenge at a time, as a browser does. The confirmation that is running may
      // be enough for this request too, so this sends the request again before it confirms
      // anything.
      await runningConfirmation
      return sendWithStepUp(path, init)
    }
    const confirmationPromise = confirmPassword(path, stepUp.challenge).finally(() => {
      runningConfirmation = null
    })
    runningConfirmation = confirmationPromise
    if (!(await confirmationPromise)) return firstResponse
    return send(path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'step-up': stepUp.challenge },
    })
  }
  return sendWithStepUp
}

export async function fetchCsrfToken(send: (path: string) => Promise<Response>): Promise<string> {
  return ((await (await send('/api/auth/csrf')).json()) as { csrfToken: string }).csrfToken
}

/**
 * Starts a sign-in. Returns a function that sends the sign-in form. Its result `ok` is true if a
 * session was opened.
 */
export async function loadSignInForm(
  baseUrl: string,
  extraHeaders: Record<string, string> = {},
  cookies?: Map<string, string>,
) {
  const { send, jar } = createVisitor(baseUrl, extraHeaders, cookies)
  const csrfToken = await fetchCsrfToken(send)
  return async (email: string, password: string) => {
    const credentialsForm = new URLSearchParams({ csrfToken, email, password, json: 'true' })
    const response = await send('/api/auth/callback/credentials', {
      method: 'POST',
      body: credentialsForm,
    })
    return {
      ok: response.status === 200 && jar.has('paydesk.session'),
      send: addPasswordStepUp(send, password),
      plain: send,
      jar,
      response,
    }
  }
}

/** Tries to sign in. The result `ok` is true if a session was opened. */
export const trySignIn = async (
  baseUrl: string,
  email: string,
  password: string,
  extraHeaders?: Record<string, string>,
  cookies?: Map<string, string>,
) => (await loadSignInForm(baseUrl, extraHeaders, cookies))(email, password)

/** Tries to sign in. After a 503 it waits for `Retry-After` and tries again, up to ten times. */
export async function signInWithRetry(
  ...args: Parameters<typeof trySignIn>
): ReturnType<typeof trySignIn> {
  let signInResult = await trySignIn(...args)
  for (let attempt = 0; attempt < 10 && signInResult.response.status === 503; attempt += 1) {
    await pause(Number(signInResult.response.headers.get('retry-after')) * 1000)
    signInResult = await trySignIn(...args)
  }
  return signInResult
}
