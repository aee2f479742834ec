import 'server-only'
import { toRequestParts } from '@/lib/operations/http'
import type { QueryListStyle } from '@/lib/operations/layout'
import { getSchemas } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { getTimeSettings } from '@/lib/server/config/env'
import {
  type ParsedAnswer,
  parseAnswerWithoutCounting,
  parseJsonBody,
  type ServiceAnswer,
} from '@/lib/server/service/answer'
import {
  getServicePools,
  type SendResult,
  shrinkBudgetIfBusy,
  toHttpRequest,
} from '@/lib/server/service/client'
import { exchangeRequest } from '@/lib/server/service/exchange'
import { type CallFault, toFault, unsentFaults } from '@/lib/server/service/faults'
import { admitCall } from '@/lib/server/service/rate-limit'
import { createRequestId, parseRetryAfter, toDurationText } from '@/lib/server/service/request'

/** `path` begins with `/v1`. `account` may differ from the configured account header. */
export type CheckRequest = {
  operation: ReadId
  path: string
  query?: string
  account?: Record<string, string>
}

/** `sentAt` is in milliseconds since 1970. */
export type Reply = SendResult & { sentAt: number; tookMs: number }

/** `parsed` is null if nothing could be parsed. */
export type CheckReadResult = { operation: ReadId; reply: Reply; parsed: ParsedAnswer | null }

/** Null if the input is invalid, for example because the service sent an id in an odd format. */
export function toCheckRequest(
  operation: ReadId,
  fields: Record<string, unknown>,
  lists?: QueryListStyle,
): CheckRequest | null {
  const input = getSchemas(operation).input.safeParse(fields)
  if (!input.success) return null
  const { path, query } = toRequestParts(operation, input.data, lists)
  return { operation, path: `/v1${path}`, query }
}

/** A reused connection may be closed already: its failure would not be a fault of the service. */
async function sendOnNewConnection(
  checkRequest: CheckRequest,
  scope: ScopedAccount,
  signal?: AbortSignal,
): Promise<SendResult> {
  const { operation, path, query = '', account } = checkRequest
  const { headers, ...rest } = toHttpRequest({
    operation,
    method: 'GET',
    path,
    query,
    scope,
    requestId: createRequestId(),
  })
  const request = { ...rest, headers: { ...headers, ...account }, reset: true }
  try {
    return {
      kind: 'answer',
      ...(await exchangeRequest(
        getServicePools(scope.environment).fresh,
        request,
        getTimeSettings().exchange.read,
        signal,
      )),
    }
  } catch (error) {
    return { kind: 'fault', fault: toFault(error) }
  }
}

type SendCheckRequest = (question: CheckRequest) => Promise<Reply>

/** Counts reads towards rate limit and quota only for a signed-in person (decision 018). */
export const createCheckRequestSender =
  (scope: ScopedAccount, signal?: AbortSignal): SendCheckRequest =>
  async (checkRequest) => {
    const { environment, caller } = scope
    const isRateLimited = caller.person !== null
    const rateRefusal = isRateLimited && (await admitCall(environment, caller, signal))
    const [sentAt, begin] = [Date.now(), performance.now()]
    const sendResult: SendResult = rateRefusal
      ? { kind: 'fault', ...rateRefusal }
      : await sendOnNewConnection(checkRequest, scope, signal)
    const reply = { ...sendResult, sentAt, tookMs: performance.now() - begin }
    if (isRateLimited && sendResult.kind === 'answer')
      await shrinkBudgetIfBusy(environment, sendResult)
    return reply
  }

/** A text for each fault, to put after a colon. */
export const faultTexts: Readonly<Record<CallFault, string>> = {
  connect_refused: 'nothing answers at this address',
  connect_timeout: 'no connection within 3 seconds',
  name_not_found: 'the host name of this address cannot be resolved',
  tls_failed: 'no secure connection: the server does not support TLS as we do',
  certificate_not_trusted:
    'the certificate is not trusted: NODE_EXTRA_CA_CERTS names the file of an authority of your own',
  not_begun: 'no connection could be made',
  headers_timeout: 'no answer within 10 seconds',
  body_timeout: 'the answer stopped before its end',
  deadline: 'no whole answer within 15 seconds',
  line_cut: 'the connection broke before the answer was whole',
  too_large: 'the answer is larger than 2 MB',
  encoded: 'the answer is compressed, which nobody asked for',
  reader_gone: 'the requester is gone',
  over_budget: 'as many requests are under way as the service allows: try again in a moment',
  over_quota:
    'you have asked for all that one person may ask for in a minute: try again in the next',
  budget_unknown: 'the store cannot say how much may be sent right now: try again in a moment',
}

export const isSuccess = (sent: SendResult): sent is ServiceAnswer =>
  sent.kind === 'answer' && sent.status >= 200 && sent.status <= 299

export const isRedirect = ({ status }: ServiceAnswer): boolean => status >= 300 && status <= 399

/** True if a retry may succeed, because the request itself is not at fault. */
export const isTransient = (sent: SendResult): boolean =>
  sent.kind === 'fault' || sent.status === 429 || sent.status >= 500

export const isHtml = ({ headers, text }: ServiceAnswer): boolean =>
  /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)\b/i.test(text)

/** Omits the error text, which may contain the data of an object. */
function formatRefusedFields(answer: ServiceAnswer): string {
  const error = (parseJsonBody(answer)?.error ?? parseJsonBody(answer) ?? {}) as { items?: unknown }
  const items = Array.isArray(error.items) ? (error.items as { reference?: unknown }[]) : []
  const fieldNames = items
    .map((item) => String(item?.reference ?? ''))
    .filter((name) => /^[A-Za-z][\w.[\]-]{0,60}$/.test(name))
  return fieldNames.length > 0 ? `, naming ${[...new Set(fieldNames)].slice(0, 5).join(', ')}` : ''
}

/** Returns text to put after a colon. `verbPhrase` is for example "list accounts". */
export function toRefusalText(answer: ServiceAnswer, verbPhrase = 'read'): string {
  const { status } = answer
  if (isRedirect(answer)) return `redirects (${status}), and redirects are never followed`
  if (status === 401) return 'the API key is rejected'
  if (status === 403) return `the key may not ${verbPhrase}`
  if (status === 404) return parseJsonBody(answer) ? 'not found' : 'there is no such address'
  if (status === 429)
    return `rate-limited by the provider: try again in ${toDurationText(parseRetryAfter(answer.headers) ?? 60)}`
  if (status >= 500) return `the service failed (${status}): try again later`
  return `refused (${status})${formatRefusedFields(answer)}`
}

const maxTimeouts = 2
/** Milliseconds after which no more requests are sent, because a person waits for the report. */
const maxCheckMs = 60_000

/**
 * Sends the reads of the check. Stops when all further reads would fail in the same way, for
 * example without a connection or with a refused key. Then `ask` and `read` return null.
 */
export class CheckClient {
  readonly reads: CheckReadResult[] = []
  calls = 0
  stopped: string | null = null
  #timeouts = 0
  readonly #beganAt = performance.now()

  constructor(private readonly send: SendCheckRequest) {}

  /** Does not add the read to `reads`. Null for invalid input, and after the check has stopped. */
  async ask(checkRequest: CheckRequest | null): Promise<CheckReadResult | null> {
    if (performance.now() - this.#beganAt > maxCheckMs)
      this.stopped ??= 'the service answers too slowly; stopped after one minute'
    if (this.stopped || !checkRequest) return null
    const reply = await this.send(checkRequest)
    if (reply.kind === 'answer' || !unsentFaults.has(reply.fault)) this.calls += 1
    this.stopped =
      reply.kind === 'answer'
        ? this.#endingAnswer(checkRequest, reply)
        : this.#endingFault(reply.fault)
    const { operation } = checkRequest
    return {
      operation,
      reply,
      parsed: reply.kind === 'answer' ? parseAnswerWithoutCounting(operation, reply) : null,
    }
  }

  async read(checkRequest: CheckRequest | null): Promise<CheckReadResult | null> {
    const checkReadResult = await this.ask(checkRequest)
    if (checkReadResult) this.reads.push(checkReadResult)
    return checkReadResult
  }

  /** Returns the reason to stop the check after a response; null if it continues. */
  #endingAnswer(checkRequest: CheckRequest, answer: ServiceAnswer): string | null {
    const isFirstCall = this.calls === 1
    if (isFirstCall && isHtml(answer)) return 'the service answers with HTML pages, not with data'
    // With an account header, a 401 may mean that the account is refused and not the key.
    const isRefusedKey = answer.status === 401 && !checkRequest.account
    const isWrongAddress = isFirstCall && (isRedirect(answer) || answer.status === 404)
    return answer.status === 429 || isRefusedKey || isWrongAddress ? toRefusalText(answer) : null
  }

  #endingFault(fault: CallFault): string | null {
    const isFinalFault = unsentFaults.has(fault) || fault === 'reader_gone'
    if (!isFinalFault) this.#timeouts += 1
    return isFinalFault || this.#timeouts >= maxTimeouts || this.calls === 1
      ? faultTexts[fault]
      : null
  }
}
