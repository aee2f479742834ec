import 'server-only'
import { AppError } from '@/lib/errors'
import { readRequest, requestDeletion, withdrawDeletion } from './deletion-request'
import { deletionsOf, findDeletion } from './deletions'
import { environmentOf } from './guard'
import { handler } from './http/handler'
import { jsonFields } from './proxy/input'
import { respond } from './proxy/respond'
import { accountNamed } from './scoped-account'
import type { Actor } from './session-rows'

type Params = { id: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function visible(id: string, actor: Actor) {
  const found = uuid.test(id) ? await findDeletion(actor, id) : null
  if (!found) throw new AppError('not_found', 'There is no such request')
  return found
}

/** Serves the requests about one customer, newest first. */
export const serveDeletionList = handler({ name: 'deletions.list' }, async ({ request, actor, requestId }) => {
  const query = new URL(request.url).searchParams
  const environment = environmentOf(query.get('environment') ?? '')
  const customer = query.get('customer')?.toLowerCase() ?? ''
  if (!uuid.test(customer)) throw new AppError('invalid_input', 'customer: must be a UUID')
  const data = await deletionsOf(actor, environment, customer)
  return respond(200, { response_type: 'array', meta: { request_id: requestId, read_at: new Date().toISOString() }, data })
})

/** Serves a request to delete a customer. The same request sent again finds the row of the first. */
export const serveDeletionRequest = handler(
  { name: 'deletions.request', from: 'own pages' },
  async ({ request, actor, requestId, about }) => {
    const asked = readRequest(await jsonFields(request))
    about({ environment: asked.environment, account: accountNamed(asked.account), target: `customers/${asked.customer_id}` })
    const id = await requestDeletion(actor, asked)
    const { view } = await visible(id, actor)
    return respond(201, { response_type: 'object', meta: { request_id: requestId }, data: view })
  },
)

/** Serves the withdrawal of an open request. */
export const serveDeletionWithdrawal = handler<Params>(
  { name: 'deletions.withdraw', from: 'own pages' },
  async ({ params, actor, requestId, about }) => {
    const { deletion } = await visible(params.id, actor)
    about({ environment: deletion.environment, account: deletion.accountId, target: `customers/${deletion.customerId}` })
    await withdrawDeletion(actor, deletion)
    const { view } = await visible(deletion.id, actor)
    return respond(200, { response_type: 'object', meta: { request_id: requestId }, data: view })
  },
)

/** Serves a certificate with its hash, as a file. */
export const serveCertificate = handler<Params>({ name: 'deletions.certificate' }, async ({ params, actor }) => {
  const { certificate, view } = await visible(params.id, actor)
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
