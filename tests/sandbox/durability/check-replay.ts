import { isDeepStrictEqual } from 'node:util'
import type { ServiceLine } from './service-line'
import { type Answered, dataOf, isAcknowledged, type Write } from './write'

type Told = Record<string, unknown> & { name?: string; customer_details?: { id: string; name: string } }

const forgotten = 'Deleted customer'

/** Returns the id of the deleted customer if personal data was removed from this response; otherwise undefined. */
function deletedIn(answer: Answered): string | undefined {
  if (!isAcknowledged(answer)) return undefined
  const data: Told & { id: string } = dataOf(answer)
  if (data.name === forgotten) return data.id
  return data.customer_details?.name === forgotten ? data.customer_details.id : undefined
}

function withoutPerson({ text }: Answered): unknown {
  const envelope = JSON.parse(text) as { data: Told }
  const { customer_details, ...data } = envelope.data
  if (customer_details) return { ...envelope, data }
  const { name, email, phone, external_id, address, compliance_profile, metadata, ...rest } = data
  return { ...envelope, data: rest }
}

async function isRetold(line: ServiceLine, first: Answered, second: Answered): Promise<boolean> {
  const customer = deletedIn(second)
  if (customer === undefined || !isDeepStrictEqual(withoutPerson(first), withoutPerson(second))) return false
  return (await line.get(`/v1/customers/${customer}`)).status === 404
}

/**
 * Repeats a write and returns error texts. The response must be a replay with the same bytes as the first. It may differ only if a customer
 * was deleted since, whose personal data is then removed.
 */
export async function replayFaults(line: ServiceLine, write: Write, first: Answered): Promise<string[]> {
  const second = await line.send(write)
  if (!second) return ['got no answer when it was sent again']
  if (!second.replayed) return [`was done again when it was sent again, and answered ${second.status}`]
  if (second.status !== first.status) return [`was answered ${first.status}, and ${second.status} when it was sent again`]
  if (second.text === first.text || (await isRetold(line, first, second))) return []
  return ['got another answer when it was sent again']
}
