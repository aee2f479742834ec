import { matchOperation } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { createUnmaskedSample, toWireSchema } from '@/tests/operations/answer-violations'
import {
  type InputCase,
  inputCasesByOperation,
  sampleId,
} from '@/tests/operations/input-violations'
import { platformInputCases } from '@/tests/operations/platform-input-violations'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import {
  createIdempotencyKey,
  createPdfFile,
  encodedProofDetails,
  type Person,
  type Reply,
} from './person'
import { type RecordedRequest, type ResponseBehavior, respondWith, wrapInEnvelope } from './service'

const inputCases = { ...inputCasesByOperation, ...platformInputCases } as Record<
  string,
  InputCase | undefined
>

/**
 * Writes that are not sent. `customers.delete` requires a deletion request first, and has its own
 * test. `capability_requests.create` reads data from the service that the generated samples do not
 * contain.
 */
const omittedOperations: ServiceOperationId[] = ['customers.delete', 'capability_requests.create']
const writeOperations = serviceOperationIds.filter(
  (id) => getServiceOperation(id).effect !== 'read' && !omittedOperations.includes(id),
)
export const sampledWrites = sampleOfEachKind(
  writeOperations,
  1,
  toServiceResource,
  (id) => `${getServiceOperation(id).effect} ${getServiceOperation(id).body}`,
)

function findOperation({ method, path }: RecordedRequest): ServiceOperationId | null {
  const operationMatch = matchOperation(
    method as 'GET',
    (path.split('?')[0] ?? '').split('/').slice(2),
  )
  return operationMatch && 'id' in operationMatch ? operationMatch.id : null
}

/**
 * Sends a request. If the response asks for the confirmation of warnings, confirms them and sends
 * the request again.
 */
async function sendAndAcknowledgeWarnings(
  send: (headers: Record<string, string>) => Promise<Reply>,
): Promise<Reply> {
  const firstReply = await send({})
  const warningNames = (firstReply.body.error?.items ?? []).flatMap(
    ({ reference }) => reference.match(/^warnings\.(.+)/)?.slice(1) ?? [],
  )
  return warningNames.length === 0
    ? firstReply
    : send({ 'action-warnings': warningNames.join(',') })
}

/** A response to a write. `sample` is an object as the service returns it, with all secrets. */
export type WriteResponse = {
  status: number
  body: (sample: unknown, seen: RecordedRequest) => unknown
  headers?: Record<string, string>
}

export const okResponse: WriteResponse = { status: 200, body: (sample) => wrapInEnvelope(sample) }

/**
 * Returns a behavior of the test’s payments service. It responds to reads with a sample that
 * contains all secrets, and to every write with the response that `getWriteResponse` returns.
 */
export const createSampleResponder =
  (getWriteResponse: () => WriteResponse): ResponseBehavior =>
  (response, seen) => {
    // Paydesk’s server reads the token of a paykey from the service. `findOperation` does not find
    // this read, because our own API has no route for it.
    const id = /\/paykeys\/[^/]+\/reveal/.test(seen.path) ? 'paykeys.reveal' : findOperation(seen)
    const sample = id ? createUnmaskedSample(toWireSchema(id)) : null
    if (!id || getServiceOperation(id).effect === 'read')
      return respondWith(200, wrapInEnvelope(sample))(response, seen)
    const { status, body, headers } = getWriteResponse()
    return respondWith(status, body(sample, seen), headers)(response, seen)
  }

/**
 * Sends one write about an object through the dashboard. Its input contains all secrets that a
 * person can enter.
 */
export async function sendSecretWrite(
  admin: Person,
  operation: ServiceOperationId,
  objectId: string,
  accountId: string,
): Promise<Reply> {
  const { method, path, body, reason } = getServiceOperation(operation)
  const needsAccount = getAccountHeaderRule(operation, 'saas') === 'required'
  const writePath = `${path.replace(':id', objectId)}${needsAccount ? `?account=acct_${accountId}` : ''}`
  const [, resource = ''] = path.split('/')
  if (body === 'file') {
    const form = new FormData()
    form.append('File', new Blob([createPdfFile('proof.pdf').bytes as BlobPart]), 'proof.pdf')
    const headers = {
      'idempotency-key': createIdempotencyKey(),
      'action-proof': encodedProofDetails,
    }
    return admin.ask(
      'POST',
      `/api/sandbox/v1/${resource}/${objectId}/authorization?account=acct_${accountId}`,
      { headers, body: form },
    )
  }
  // Replaces the example id in the input with that of the object, because the test’s service
  // responds with samples to requests about that object.
  const inputJson = JSON.stringify(inputCases[operation]?.good ?? {}).replaceAll(sampleId, objectId)
  const { id: _, email: typed, ...good } = JSON.parse(inputJson) as Record<string, unknown>
  // A change of a customer omits the email. The server then adds the customer’s current email, so
  // the stored request contains one anyway.
  const inputFields =
    typed === undefined || operation === 'customers.update' ? good : { ...good, email: typed }
  const reasonOption =
    reason === 'kept' ? { reason: 'OWNER_MATCHED: looked at and found to be right' } : {}
  return sendAndAcknowledgeWarnings((headers) =>
    admin.write(method, writePath, inputFields, { ...reasonOption, headers }),
  )
}
