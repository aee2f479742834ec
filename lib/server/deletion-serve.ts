import 'server-only'
import { AppError } from '@/lib/errors'
import { readRequest, requestDeletion, withdrawDeletion } from './deletion-request'
import { deletionsOf, findDeletion } from './deletions'
import { environmentOf, refuseOtherSites } from './guard'
import { jsonFields } from './proxy/input'
import { respond, respondError } from './proxy/respond'
import { newRequestId } from './request-id'
import { requireActor } from './session'
import type { Actor } from './session-rows'

type Context = { params: Promise<{ id: string }> }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function visible(id: string, actor: Actor) {
  const found = uuid.test(id) ? await findDeletion(actor, id) : null
  if (!found) throw new AppError('not_found', 'There is no such request')
  return found
}

async function answered(work: (requestId: string) => Promise<Response>): Promise<Response> {
  const requestId = newRequestId()
  try {
    return await work(requestId)
  } catch (error) {
    return respondError(error, requestId)
  }
}

/** Serves the requests about one customer, newest first. */
export const serveDeletionList = (request: Request): Promise<Response> =>
  answered(async (requestId) => {
    const query = new URL(request.url).searchParams
    const environment = environmentOf(query.get('environment') ?? '')
    const customer = query.get('customer')?.toLowerCase() ?? ''
    if (!uuid.test(customer)) throw new AppError('invalid_input', 'customer: must be a UUID')
    const actor = await requireActor(request)
    const data = await deletionsOf(actor, environment, customer)
    return respond(200, { response_type: 'array', meta: { request_id: requestId, read_at: new Date().toISOString() }, data })
  })

/** Serves a request to delete a customer. The same request sent again finds the row of the first. */
export const serveDeletionRequest = (request: Request): Promise<Response> =>
  answered(async (requestId) => {
    refuseOtherSites(request)
    const actor = await requireActor(request)
    const id = await requestDeletion(actor, readRequest(await jsonFields(request)))
    const { view } = await visible(id, actor)
    return respond(201, { response_type: 'object', meta: { request_id: requestId }, data: view })
  })

/** Serves the withdrawal of an open request. */
export const serveDeletionWithdrawal = (request: Request, context: Context): Promise<Response> =>
  answered(async (requestId) => {
    refuseOtherSites(request)
    const actor = await requireActor(request)
    const { deletion } = await visible((await context.params).id, actor)
    await withdrawDeletion(actor, deletion)
    const { view } = await visible(deletion.id, actor)
    return respond(200, { response_type: 'object', meta: { request_id: requestId }, data: view })
  })

/** Serves a certificate with its hash, as a file. */
export const serveCertificate = (request: Request, context: Context): Promise<Response> =>
  answered(async () => {
    const actor = await requireActor(request)
    const { certificate, view } = await visible((await context.params).id, actor)
    if (!certificate) throw new AppError('not_found', 'No certificate was issued: the deletion was not carried out')
    const body = { certificate, sha256: view.certificate_hash, hashed: 'SHA-256 over the canonical JSON (RFC 8785) of "certificate"' }
    return new Response(`${JSON.stringify(body, null, 2)}\n`, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="deletion-${view.id}.json"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  })
