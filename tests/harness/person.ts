import { randomUUID } from 'node:crypto'
import type { ApiAnswer } from '@/lib/operations/answer'
import type { Role } from '@/lib/operations/define'
import { createPdfOfSize } from '@/tests/corpus/pdf-writer'
import { fetchCsrfToken, type SendRequest, signInWithRetry } from './sign-in'

export type Reply<T = Record<string, unknown>> = {
  status: number
  replayed: boolean
  headers: Headers
  body: ApiAnswer<T>
}
export type WriteOptions = { key?: string; reason?: string; headers?: Record<string, string> }
export type Person = Awaited<ReturnType<typeof signIn>>

/**
 * Returns the names of the items in a refusal. A warning that must be confirmed has the name
 * `warnings.…`.
 */
export const listWarningNames = ({ body }: Reply<unknown>): string[] =>
  body.error?.items?.map(({ reference }) => reference) ?? []

/** Returns a new idempotency key in the format of the browser's keys. */
export const createIdempotencyKey = (): string => `pdk_${randomUUID().replaceAll('-', '')}`

/**
 * Value of the `Action-Proof` header of an upload. It states who authorized the payment, when, and
 * how.
 */
export const encodedProofDetails = new URLSearchParams({
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
    proof: string | null = encodedProofDetails,
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
      const signOutForm = new URLSearchParams({
        csrfToken: await fetchCsrfToken(send),
        json: 'true',
      })
      return send('/api/auth/signout', { method: 'POST', body: signOutForm })
    },
  }
}
