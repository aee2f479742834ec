import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiAnswer } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { createPdfOfSize } from '@/tests/corpus/pdf-writer'

export type Reply<T = Record<string, unknown>> = {
  status: number
  replayed: boolean
  headers: Headers
  body: ApiAnswer<T>
}
export type WriteOptions = { key?: string; reason?: string; headers?: Record<string, string> }
export type Person = Awaited<ReturnType<typeof signIn>>

/** Returns a new idempotency key in the format of the browser's keys. */
export const createIdempotencyKey = (): string => `pdk_${randomUUID().replaceAll('-', '')}`

/**
 * Value of the `Action-Proof` header of an upload. It states who authorized the payment, when, and
 * how.
 */
export const authorizationDetails = new URLSearchParams({
  authorized_by: 'Ana Example',
  authorized_on: '2026-03-31',
  method: 'signed_agreement',
}).toString()

/**
 * Value of the `Action-Warnings` header. It confirms every warning that can appear when a test
 * releases its payout. The `unknown` ones appear only if the test’s service has no data about the
 * paykey, the customer or the limits.
 */
export const acknowledgedWarnings =
  'documents_warn,paykey_unknown,customer_unknown,limit_single_unknown,limit_day_warn:1,limit_month_warn:1'

export const goodReason = 'AUTH_PROOF_OK: the proof was received and checked'

/** Returns a PDF of one page. `size` is in bytes. */
export const createPdfFile = (name: string, size = 2000): { name: string; bytes: Uint8Array } => ({
  name,
  bytes: createPdfOfSize(size),
})

/**
 * Returns a function that sends requests to one dashboard and keeps its cookies in `jar`. Adds
 * `extraHeaders` to every request. `jar` may already contain cookies of an earlier visit.
 */
export function createVisitor(
  baseUrl: string,
  extraHeaders: Record<string, string> = {},
  jar = new Map<string, string>(),
) {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
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
  return { send, jar }
}

type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

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
export function withPasswordStepUp(send: SendRequest, password: string): SendRequest {
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
    const response = await send(path, init)
    const stepUp = await readStepUpChallenge(response)
    if (!stepUp?.methods.includes('password')) return response
    if (runningConfirmation) {
      // Confirms one challenge at a time, as a browser does. The confirmation that is running may
      // be enough for this request too, so this sends the request again before it confirms
      // anything.
      await runningConfirmation
      return sendWithStepUp(path, init)
    }
    const confirmation = confirmPassword(path, stepUp.challenge).finally(() => {
      runningConfirmation = null
    })
    runningConfirmation = confirmation
    if (!(await confirmation)) return response
    return send(path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'step-up': stepUp.challenge },
    })
  }
  return sendWithStepUp
}

async function fetchCsrfToken(send: (path: string) => Promise<Response>): Promise<string> {
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
    const form = new URLSearchParams({ csrfToken, email, password, json: 'true' })
    const response = await send('/api/auth/callback/credentials', { method: 'POST', body: form })
    return {
      ok: response.status === 200 && jar.has('paydesk.session'),
      send: withPasswordStepUp(send, password),
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
  let result = await trySignIn(...args)
  for (let attempt = 0; attempt < 10 && result.response.status === 503; attempt += 1) {
    await pause(Number(result.response.headers.get('retry-after')) * 1000)
    result = await trySignIn(...args)
  }
  return result
}

type SendApiRequest = <T>(method: string, path: string, init?: RequestInit) => Promise<Reply<T>>

/** Returns a function that sends requests to our API and returns the parsed responses. */
const createApiSender =
  (send: SendRequest): SendApiRequest =>
  async <T>(method: string, path: string, init: RequestInit = {}): Promise<Reply<T>> => {
    const response = await send(path, { method, ...init })
    const body = (await response.json()) as ApiAnswer<T>
    return {
      status: response.status,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      headers: response.headers,
      body,
    }
  }

const createPayoutCalls = (sendRequest: SendApiRequest) => ({
  decide: (
    verb: string,
    payout: { id: string; account: string },
    key = createIdempotencyKey(),
    reason = goodReason,
    headers: Record<string, string> = {},
  ) =>
    sendRequest<{ status: string }>(
      'PUT',
      `/api/sandbox/v1/payouts/${payout.id}/${verb}?account=${payout.account}`,
      {
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          'action-warnings': acknowledgedWarnings,
          ...headers,
        },
        body: JSON.stringify({ reason }),
      },
    ),
  upload: (
    payout: { id: string; account: string },
    file: { name: string; bytes: Uint8Array },
    key = createIdempotencyKey(),
    proof: string | null = authorizationDetails,
  ) => {
    const form = new FormData()
    form.append('File', new Blob([file.bytes as BlobPart]), file.name)
    return sendRequest<{ documents: { document_name: string }[] }>(
      'POST',
      `/api/sandbox/v1/payouts/${payout.id}/authorization?account=${payout.account}`,
      {
        headers: { 'idempotency-key': key, ...(proof === null ? {} : { 'action-proof': proof }) },
        body: form,
      },
    )
  },
})

const createObjectCalls = (sendRequest: SendApiRequest) => ({
  /** Sends a write with a JSON body. The path is the part after `/v1`, and may contain a query. */
  write: <T = Record<string, unknown>>(
    method: string,
    apiPath: string,
    body: unknown = {},
    options: WriteOptions = {},
  ) =>
    sendRequest<T>(method, `/api/sandbox/v1${apiPath}`, {
      headers: {
        'content-type': 'application/json',
        'idempotency-key': options.key ?? createIdempotencyKey(),
        ...(options.reason === undefined
          ? {}
          : { 'action-reason': encodeURIComponent(options.reason) }),
        ...options.headers,
      },
      body: JSON.stringify(body),
    }),
  /** Reads unmasked data. Sends `reason` in a header, unless it is null. */
  reveal: <T = Record<string, unknown>>(
    apiPath: string,
    reason: string | null = goodReason,
    headers: Record<string, string> = {},
  ) =>
    sendRequest<T>('GET', `/api/sandbox/v1${apiPath}`, {
      headers: {
        ...(reason === null ? {} : { 'action-reason': encodeURIComponent(reason) }),
        ...headers,
      },
    }),
})

/**
 * Signs in a demo person by role, or any person with the demo password by email address. Returns
 * functions that send requests in the session. They confirm each required step-up with the
 * password, unless `confirms` is false.
 */
export async function signIn(
  baseUrl: string,
  roleOrEmail: Role | `${string}@${string}` = 'operator',
  { confirms = true } = {},
) {
  const signInResult = await signInWithRetry(
    baseUrl,
    roleOrEmail.includes('@') ? roleOrEmail : `${roleOrEmail}@paydesk.test`,
    'paydesk-demo',
  )
  const { ok, jar, response } = signInResult
  const send = confirms ? signInResult.send : signInResult.plain
  if (!ok)
    throw new Error(`${roleOrEmail} could not sign in: ${response.status} ${await response.text()}`)
  const sendRequest = createApiSender(send)

  return {
    send,
    jar,
    get: <T = Record<string, unknown>>(path: string) => sendRequest<T>('GET', path),
    post: <T = Record<string, unknown>>(path: string, init: RequestInit = {}) =>
      sendRequest<T>('POST', path, init),
    put: <T = Record<string, unknown>>(path: string, init: RequestInit = {}) =>
      sendRequest<T>('PUT', path, init),
    ...createPayoutCalls(sendRequest),
    ...createObjectCalls(sendRequest),
    /** Sends any request to our API and returns the parsed response. */
    ask: sendRequest,
    action: (id: string) =>
      sendRequest<Record<string, unknown>>('GET', `/api/sandbox/desk/actions/${id}`),
    check: (id: string) =>
      sendRequest<Record<string, unknown>>('POST', `/api/sandbox/desk/actions/${id}`),
    signOut: async () => {
      const form = new URLSearchParams({ csrfToken: await fetchCsrfToken(send), json: 'true' })
      return send('/api/auth/signout', { method: 'POST', body: form })
    },
  }
}
