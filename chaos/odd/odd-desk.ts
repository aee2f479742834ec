import { parseWarningErrorItems, toWarningName, type Warning } from '@/lib/domain/warnings'
import { toRequestParts } from '@/lib/operations/http'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import { serviceApiPath } from '@/lib/routes'
import {
  createIdempotencyKey,
  encodedProofDetails,
  goodReason,
  type Person,
  type Reply,
} from '@/tests/harness/person'
import { startWholeDesk } from '@/tests/harness/whole-desk'

export type ServiceObject = { id: string; status: string }

/**
 * The most warnings that `sendAcknowledgingWarnings` acknowledges, so that it ends even if every
 * response lists new ones. No real action has so many.
 */
const maxAcknowledgedWarnings = 24

type JournalEffect = { operation: string; target_id: string }

/** `id` is part of the path, and `account` is the account scope. */
export type PreparedWrite = {
  id?: string
  input?: Record<string, unknown>
  account?: string
  file?: { name: string; bytes: Uint8Array }
}

export type OddServiceDesk = Awaited<ReturnType<typeof startOddServiceDesk>>

/**
 * Starts a dashboard and a sandbox whose dialect (wire format) a caller can switch: `document` is
 * the documented format, `odd` contains unexpected data.
 */
export async function startOddServiceDesk() {
  const desk = await startWholeDesk()
  const { sandbox, dashboard } = desk
  const admin = await desk.signIn('admin')

  async function callApi<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const requestInit =
      body === undefined
        ? { headers }
        : {
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
    const response = await fetch(sandbox.url + path, { method, ...requestInit })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as T
  }

  /** Calls the service directly, not through the dashboard. */
  async function callService<T = ServiceObject>(
    method: string,
    path: string,
    body?: unknown,
    account?: string,
  ): Promise<T> {
    const scopeHeaders: Record<string, string> = account ? { 'service-account-id': account } : {}
    const answer = await callApi<{ data: T }>(method, `/v1${path}`, body, {
      authorization: `Bearer ${sandbox.keys.full}`,
      ...scopeHeaders,
    })
    return answer.data
  }

  const callControlApi = <T>(method: string, path: string, body?: unknown) =>
    callApi<T>(method, `/sandbox${path}`, body)

  return {
    ...desk,
    admin,
    service: callService,
    control: callControlApi,
    speak: (name: 'document' | 'odd', seed?: number) =>
      callControlApi('POST', '/dialect', seed === undefined ? { name } : { name, seed }),
    /** Returns the changes that the service made for an idempotency key, from its journal. */
    effectsOf: async (key: string) =>
      (
        await callControlApi<{ data: JournalEffect[] }>(
          'GET',
          `/journal?idempotency_key=${encodeURIComponent(key)}`,
        )
      ).data,
    logSince: (from: number) => dashboard.log().slice(from),
    send: (operation: ServiceOperationId, write: PreparedWrite, key = createIdempotencyKey()) =>
      sendAcknowledgingWarnings(admin, operation, write, key),
  }
}

/**
 * If the response lists warnings, acknowledges them and sends the write again, as a screen does.
 */
async function sendAcknowledgingWarnings(
  person: Person,
  operation: ServiceOperationId,
  write: PreparedWrite,
  key: string,
  acknowledgedWarnings: readonly Warning[] = [],
): Promise<Reply<unknown>> {
  const reply = await sendWriteOnce(person, operation, write, {
    'idempotency-key': key,
    'action-warnings': acknowledgedWarnings.map(toWarningName).join(','),
  })
  const warnings = parseWarningErrorItems(reply.body.error?.items ?? [])
  return warnings.length > 0 && acknowledgedWarnings.length < maxAcknowledgedWarnings
    ? sendAcknowledgingWarnings(person, operation, write, key, [
        ...acknowledgedWarnings,
        ...warnings,
      ])
    : reply
}

function sendWriteOnce(
  person: Person,
  operation: ServiceOperationId,
  { id, input = {}, account, file }: PreparedWrite,
  extraHeaders: Record<string, string>,
): Promise<Reply<unknown>> {
  const { reason, proof } = getServiceOperation(operation)
  const inputFields = {
    ...(id ? { id } : {}),
    ...(reason === 'sent' ? { reason: goodReason } : {}),
    ...input,
  }
  const { method, path, query, body } = toRequestParts(operation, inputFields)
  const headers: Record<string, string> = {
    ...extraHeaders,
    ...(reason === 'kept' ? { 'action-reason': goodReason } : {}),
    ...(proof ? { 'action-proof': encodedProofDetails } : {}),
  }
  const apiPath = serviceApiPath('sandbox', path, query, account ?? null)
  if (!file) {
    return person.ask(method, apiPath, {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    })
  }
  const form = new FormData()
  form.append('File', new Blob([file.bytes as BlobPart]), file.name)
  return person.ask(method, apiPath, { headers, body: form })
}
