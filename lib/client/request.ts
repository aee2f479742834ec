import type { ActionView, Answer } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { CallError } from './call-error'
import { noteAnswer } from './trouble'

/** What a request of ours came back with. `replayed`: the answer is that of an earlier attempt under the same key. */
export type CallAnswer<T> = { data: T; meta: AnswerMeta; action?: ActionView; replayed: boolean }

/** Page figures, request ids, time of reading and, for a single object, the hash of what was shown. */
export type AnswerMeta = Answer<unknown>['meta'] & { snapshot?: string }

type Send = {
  method: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
  signal?: AbortSignal
  /** Told of refused keys and ended sessions, see `lib/client/trouble`. */
  environment?: Environment
}

/**
 * Sends one request to our own API and reads the answer. Throws `CallError`: the API's own error, or, where no readable answer came,
 * `unavailable` for a read and `outcome_unknown` for a write. Never resends anything; an aborted read rejects with the browser's AbortError.
 */
export async function request<T>(url: string, { method, headers, body, signal, environment }: Send): Promise<CallAnswer<T>> {
  const isWrite = method !== 'GET'
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    body: body ? JSON.stringify(body) : undefined,
    signal,
    cache: 'no-store',
    redirect: 'error',
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw CallError.noAnswer(isWrite, cause)
  })
  const text = await response.text().catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw CallError.noAnswer(isWrite, cause)
  })
  return readAnswer<T>(
    {
      status: response.status,
      text,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      retryAfter: secondsOf(response.headers.get('retry-after')),
    },
    isWrite,
    environment,
  )
}

/** Reads an answer of our API from its status and text, tolerant of members it does not know; see `request` for what it throws. */
export function readAnswer<T>(
  answer: { status: number; text: string; replayed: boolean; retryAfter?: number },
  isWrite: boolean,
  environment?: Environment,
): CallAnswer<T> {
  const body = parse<T>(answer.text)
  const refused = answer.status >= 400 || body?.error !== undefined
  // A page of some middle box instead of an answer of ours says nothing about a write, unless it is a plain refusal.
  if (!body && (!isWrite || answer.status >= 500 || answer.status < 400)) throw CallError.noAnswer(isWrite)
  if (!body || refused) {
    const error = CallError.fromAnswer(body ?? {}, answer.status, answer.retryAfter)
    noteAnswer(environment, error)
    throw error
  }
  noteAnswer(environment, null)
  return {
    data: body.data as T,
    meta: body.meta ?? { request_id: '' },
    action: body.action,
    replayed: answer.replayed || body.action?.replayed === true,
  }
}

/** Our API writes whole seconds into `Retry-After`; anything else tells no time. */
const secondsOf = (header: string | null): number | undefined => (header && /^\d{1,6}$/.test(header) ? Number(header) : undefined)

function parse<T>(text: string): Partial<Answer<T>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Partial<Answer<T>>) : null
  } catch {
    return null
  }
}
