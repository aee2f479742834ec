import 'server-only'
import { randomUUID } from 'node:crypto'
import { type Layout, toRequest } from '@/lib/operations/http'
import { type OperationId, rowOf } from '@/lib/operations/rows'
import type { Draft } from '@/lib/server/actions/book'
import { readFile } from '@/lib/server/actions/read-file'
import { correlationIdOf } from '@/lib/server/request-id'
import type { ScopedAccount } from '@/lib/server/scoped-account'
import type { Actor } from '@/lib/server/session-rows'
import { sha256 } from '@/lib/server/sha256'
import { type Fields, parseInput, withParams } from './input'
import { keptReason } from './reason'

/** A write that was matched and permitted. `fields` reads its JSON body; a file is never read through it. */
export type Write = {
  request: Request
  operation: OperationId
  params: Record<string, string>
  fields: Fields
  actor: Actor
  scope: ScopedAccount
  /** `<resource>/<id>`; null where the object is only being made. */
  target: string | null
}

type Bytes = Pick<Draft, 'contentType' | 'body' | 'bodySha256'> & { content: string }

/** The exact bytes the service will get, with `content` standing for what the browser asked, whatever its form's boundary was. */
async function bytesOf(write: Write, id: string, key: string, layout: Layout): Promise<Bytes> {
  if (rowOf(write.operation).body === 'file') {
    const { file, bodySha256, contentType } = await readFile({ request: write.request, actionId: id, actorId: write.actor.id, key })
    return { contentType, body: file, bodySha256, content: `${file.name}\n${file.sha256}` }
  }
  // A deletion has no body, and some gateways refuse one.
  const text = layout.method === 'DELETE' ? '' : JSON.stringify(layout.body ?? {})
  const body = Buffer.from(text)
  return { contentType: text === '' ? '' : 'application/json', body, bodySha256: sha256(body), content: text }
}

/** Why, where the operation asks for it: out of the input where the service is told, out of the header where only we keep it. */
function reasonOf({ operation, request }: Write, input: Record<string, unknown>): string | null {
  if (rowOf(operation).reason === 'kept') return keptReason(request)
  return typeof input.reason === 'string' ? input.reason : null
}

/**
 * Reads and parses what was asked into a draft of its action. Throws `bad_request`, `invalid_input` or `too_large`, each naming what to mend.
 * The fingerprint is over what the browser asked, the kept reason included, whatever the server adds to the bytes later.
 */
export async function draftOf(write: Write, key: string): Promise<Draft> {
  const { operation, params, actor, scope, request, target } = write
  const row = rowOf(operation)
  const input = parseInput(operation, row.body === 'file' ? params : withParams(operation, await write.fields(), params))
  const reason = reasonOf(write, input)
  const id = randomUUID()
  const layout = toRequest(operation, input)
  const { content, ...bytes } = await bytesOf(write, id, key, layout)
  const { method } = layout
  const path = layout.query ? `${layout.path}?${layout.query}` : layout.path
  const asked = [scope.environment, scope.accountId, actor.id, method, path, content, ...(row.reason === 'kept' ? [reason] : [])]
  return {
    id,
    operation,
    scope,
    actor,
    target,
    key,
    method,
    path: `/v1${path}`,
    ...bytes,
    reason,
    correlationId: correlationIdOf(request.headers.get('correlation-id')),
    fingerprint: sha256(asked.join('\n')),
    snapshotHash: request.headers.get('snapshot-hash')?.slice(0, 64) ?? null,
    comparedAt: null,
  }
}
