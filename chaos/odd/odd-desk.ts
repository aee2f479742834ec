import { parseWarningItems, toWarningName, type Warning } from '@/lib/domain/warnings'
import { toRequest } from '@/lib/operations/http'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import { serviceApiPath } from '@/lib/routes'
import { authorizationDetails, goodReason, newKey, type Person, type Reply } from '@/tests/harness/person'
import { startWholeDesk } from '@/tests/harness/whole-desk'

export type ServiceObject = { id: string; status: string }

/** Maximum number of acknowledged warnings, so that `send` cannot repeat forever. No action has so many. */
const maxAcknowledged = 24

type JournalEffect = { operation: string; target_id: string }

/** A write as a screen sends it. `id` is part of the path, and `account` is the account scope. */
export type OddWrite = { id?: string; input?: Record<string, unknown>; account?: string; file?: { name: string; bytes: Uint8Array } }

export type OddDesk = Awaited<ReturnType<typeof startOddDesk>>

/** Starts a dashboard with a sandbox whose dialect can be changed while it runs. */
export async function startOddDesk() {
  const desk = await startWholeDesk()
  const { sandbox, dashboard } = desk
  const admin = await desk.signIn('admin')

  async function callApi<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const init =
      body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(sandbox.url + path, { method, ...init })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as T
  }

  /** Sends a request directly to the service, not through the dashboard. Returns the `data` of the response. */
  async function callService<T = ServiceObject>(method: string, path: string, body?: unknown, account?: string): Promise<T> {
    const scope: Record<string, string> = account ? { 'service-account-id': account } : {}
    const answer = await callApi<{ data: T }>(method, `/v1${path}`, body, { authorization: `Bearer ${sandbox.keys.full}`, ...scope })
    return answer.data
  }

  const control = <T>(method: string, path: string, body?: unknown) => callApi<T>(method, `/sandbox${path}`, body)

  return {
    ...desk,
    admin,
    service: callService,
    control,
    speak: (name: 'document' | 'odd', seed?: number) => control('POST', '/dialect', seed === undefined ? { name } : { name, seed }),
    /** Returns the changes that the service recorded in its journal for an idempotency key. */
    effectsOf: async (key: string) =>
      (await control<{ data: JournalEffect[] }>('GET', `/journal?idempotency_key=${encodeURIComponent(key)}`)).data,
    logSince: (from: number) => dashboard.log().slice(from),
    send: (operation: ServiceOperationId, write: OddWrite, key = newKey()) => sendWithWarnings(admin, operation, write, key),
  }
}

/** Sends a write as a screen does: if the response lists warnings, acknowledges them and sends the write again. */
async function sendWithWarnings(
  person: Person,
  operation: ServiceOperationId,
  write: OddWrite,
  key: string,
  ticks: readonly Warning[] = [],
): Promise<Reply<unknown>> {
  const reply = await sendOnce(person, operation, write, { 'idempotency-key': key, 'action-warnings': ticks.map(toWarningName).join(',') })
  const warnings = parseWarningItems(reply.body.error?.items ?? [])
  return warnings.length > 0 && ticks.length < maxAcknowledged
    ? sendWithWarnings(person, operation, write, key, [...ticks, ...warnings])
    : reply
}

function sendOnce(
  person: Person,
  operation: ServiceOperationId,
  { id, input = {}, account, file }: OddWrite,
  about: Record<string, string>,
): Promise<Reply<unknown>> {
  const { reason, proof } = serviceOperation(operation)
  const fields = { ...(id ? { id } : {}), ...(reason === 'sent' ? { reason: goodReason } : {}), ...input }
  const { method, path, query, body } = toRequest(operation, fields)
  const headers: Record<string, string> = {
    ...about,
    ...(reason === 'kept' ? { 'action-reason': goodReason } : {}),
    ...(proof ? { 'action-proof': authorizationDetails } : {}),
  }
  const where = serviceApiPath('sandbox', path, query, account ?? null)
  if (!file) {
    return person.ask(method, where, { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) })
  }
  const form = new FormData()
  form.append('File', new Blob([file.bytes as BlobPart]), file.name)
  return person.ask(method, where, { headers, body: form })
}
