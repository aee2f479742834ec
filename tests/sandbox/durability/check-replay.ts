import { isDeepStrictEqual } from 'node:util'
import type { ServiceConnectionPool } from './service-connection-pool'
import { isAcknowledged, readResponseData, type Write, type WriteResponse } from './write'

type ResponseData = Record<string, unknown> & { name?: string; customer_details?: { id: string; name: string } }

const deletedName = 'Deleted customer'

/** Returns the id of the deleted customer if personal data was removed from this response; otherwise undefined. */
function findDeletedCustomer(answer: WriteResponse): string | undefined {
  if (!isAcknowledged(answer)) return undefined
  const data: ResponseData & { id: string } = readResponseData(answer)
  if (data.name === deletedName) return data.id
  return data.customer_details?.name === deletedName ? data.customer_details.id : undefined
}

function removePersonalData({ text }: WriteResponse): unknown {
  const envelope = JSON.parse(text) as { data: ResponseData }
  const { customer_details, ...data } = envelope.data
  if (customer_details) return { ...envelope, data }
  const { name, email, phone, external_id, address, compliance_profile, metadata, ...rest } = data
  return { ...envelope, data: rest }
}

async function differsByDeletion(service: ServiceConnectionPool, first: WriteResponse, second: WriteResponse): Promise<boolean> {
  const customer = findDeletedCustomer(second)
  if (customer === undefined || !isDeepStrictEqual(removePersonalData(first), removePersonalData(second))) return false
  return (await service.get(`/v1/customers/${customer}`)).status === 404
}

/**
 * Repeats a write and returns error texts. The response must be a replay with the same bytes as the first. It may differ only if a customer
 * was deleted since, whose personal data is then removed.
 */
export async function findReplayFaults(service: ServiceConnectionPool, write: Write, first: WriteResponse): Promise<string[]> {
  const secondResponse = await service.send(write)
  if (!secondResponse) return ['got no answer when it was sent again']
  if (!secondResponse.replayed) return [`was done again when it was sent again, and answered ${secondResponse.status}`]
  if (secondResponse.status !== first.status) return [`was answered ${first.status}, and ${secondResponse.status} when it was sent again`]
  if (secondResponse.text === first.text || (await differsByDeletion(service, first, secondResponse))) return []
  return ['got another answer when it was sent again']
}
