'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '@/components/kits/layout/desk-context'
import { asCallError } from '@/lib/client/call-error'
import type { DeskScope } from '@/lib/client/desk'
import { read } from '@/lib/client/queries'
import { type ChainLink, type ChainNode, type ChainStep, chainBound, chainOf, linksOf } from '@/lib/domain/payment-chain'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'

/** The chain as far as it is known; `cut`: there is more of it than is followed. */
export type Chain = { steps: ChainStep[]; reading: boolean; cut: boolean }

type Walked = { nodes: Map<string, ChainNode>; cut: boolean }

async function readNode(client: QueryClient, desk: DeskScope, { id, kind }: ChainLink): Promise<ChainNode> {
  if (kind === null) return { id, kind, payment: null, why: 'A kind of payment Paydesk does not know.' }
  try {
    const input = { id }
    const answer = await (kind === 'charge'
      ? client.fetchQuery(read(desk, 'charges.get', input))
      : client.fetchQuery(read(desk, 'payouts.get', input)))
    return { id, kind, payment: answer.data }
  } catch (cause) {
    return { id, kind, payment: null, why: `Could not be read: ${asCallError(cause).message}` }
  }
}

/** Follows the links from payment to payment, a round for each distance, until nothing new is named or the bound is met. */
async function walk(client: QueryClient, desk: DeskScope, start: ChainNode & { payment: Payment }): Promise<Walked> {
  const nodes = new Map<string, ChainNode>([[start.id, start]])
  let next = linksOf(start.payment)
  while (next.length > 0) {
    const room = chainBound - nodes.size
    const found = await Promise.all(next.slice(0, room).map((link) => readNode(client, desk, link)))
    for (const node of found) nodes.set(node.id, node)
    if (next.length > room) return { nodes, cut: true }
    const named = new Map(found.flatMap((node) => (node.payment ? linksOf(node.payment) : [])).map((link) => [link.id, link]))
    next = [...named.values()].filter(({ id }) => !nodes.has(id))
  }
  return { nodes, cut: false }
}

/** What a payment alone says of its chain, while the others are being read. */
function firstLook(start: ChainNode & { payment: Payment }): Walked {
  const others = linksOf(start.payment).map((link): [string, ChainNode] => [link.id, { ...link, payment: null, why: 'Being read…' }])
  return { nodes: new Map([[start.id, start], ...others]), cut: false }
}

/** The payments that belong together with this one: what it was made of and what was made of it. */
export function useChain(kind: PaymentKind, payment: Payment): Chain {
  const desk = useDesk()
  const client = useQueryClient()
  const start = { id: payment.id, kind, payment }
  const links = linksOf(payment).map(({ id }) => id)
  const { data, isFetching } = useQuery({
    // `payments` in the third place: whatever makes payments stale makes the chain stale.
    queryKey: [desk.environment, desk.account ?? 'platform', 'payments', 'chain', payment.id, payment.updated_at, links],
    queryFn: () => walk(client, desk, start),
    enabled: links.length > 0,
  })
  const { nodes, cut } = data ?? firstLook(start)
  return { steps: chainOf(nodes, payment.id), reading: isFetching, cut }
}
