import 'server-only'
import { addressOf, networkOf } from '@/lib/server/client-address'
import { pseudonym } from '@/lib/server/pseudonym'
import type { Actor } from '@/lib/server/session-rows'
import type { AuditEntry } from './chain'

/** Where a request came from as audit rows say it: keyed hashes of the client's address and of its network; empty where it is not known. */
export type Client = { address?: string; network?: string }

/** 128 bits are enough to tell addresses apart. */
const short = (kind: string, value: string) => pseudonym(`${kind}/${value}`).slice(0, 32)

/** The client behind the headers of a request. The hash of the network tells that two addresses are neighbours, and nothing else does. */
export function clientOf(headers: Headers): Client {
  const address = addressOf(headers)
  return address ? { address: short('address', address), network: short('network', networkOf(address)) } : {}
}

/** What every row of what a person did says of them: who, in which session, from where. */
export const doneBy = (actor: Actor): Pick<AuditEntry, 'actor' | 'session' | 'address' | 'network'> => ({
  actor: actor.id,
  session: actor.sessionHash,
  ...actor.client,
})
