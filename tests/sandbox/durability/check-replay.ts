import { isDeepStrictEqual } from 'node:util'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, readResponseData, type WriteRequest, type WriteResponse } from './write'

type ResponseData = Record<string, unknown> & {
  name?: string
  customer_details?: { id: string; name: string }
}

const deletedCustomerName = 'Deleted customer'

/**
 * If this response lacks personal data because a customer was deleted, returns the id of that
 * customer. Otherwise returns undefined.
 */
function findDeletedCustomerId(response: WriteResponse): string | undefined {
  if (!isAcknowledged(response)) return undefined
  const data: ResponseData & { id: string } = readResponseData(response)
  if (data.name === deletedCustomerName) return data.id
  return data.customer_details?.name === deletedCustomerName ? data.customer_details.id : undefined
}

function removePersonalData({ text }: WriteResponse): unknown {
  const envelope = JSON.parse(text) as { data: ResponseData }
  const { customer_details, ...data } = envelope.data
  if (customer_details) return { ...envelope, data }
  const { name, email, phone, external_id, address, compliance_profile, metadata, ...rest } = data
  return { ...envelope, data: rest }
}

async function differsOnlyByDeletion(
  service: ServiceConnectionPool,
  firstResponse: WriteResponse,
  second: WriteResponse,
): Promise<boolean> {
  const deletedCustomerId = findDeletedCustomerId(second)
  if (
    deletedCustomerId === undefined ||
    !isDeepStrictEqual(removePersonalData(firstResponse), removePersonalData(second))
  )
    return false
  return (await service.get(`/v1/customers/${deletedCustomerId}`)).status === 404
}

/**
 * Sends a write again under its Idempotency-Key and returns error texts. The response must be
 * marked as a replay and have the same bytes as the first. The only allowed difference: if a
 * customer was deleted since, the customer's personal data is removed.
 */
export async function findReplayFaults(
  service: ServiceConnectionPool,
  write: WriteRequest,
  firstResponse: WriteResponse,
): Promise<string[]> {
  const secondResponse = await service.send(write)
  if (!secondResponse) return ['got no answer when it was sent again']
  if (!secondResponse.replayed)
    return [`was done again when it was sent again, and answered ${secondResponse.status}`]
  if (secondResponse.status !== firstResponse.status)
    return [
      `was answered ${firstResponse.status}, and ${secondResponse.status} when it was sent again`,
    ]
  if (
    secondResponse.text === firstResponse.text ||
    (await differsOnlyByDeletion(service, firstResponse, secondResponse))
  )
    return []
  return ['got another answer when it was sent again']
}
