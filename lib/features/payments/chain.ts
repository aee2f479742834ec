import { kindOf, type Payment, type PaymentKind } from '@/lib/domain/payment-kind'
import { returnCode } from '@/lib/domain/return-codes'

/** What a chain is drawn from: a payment as far as it was read. */
type ChainPayment = Pick<Payment, 'id' | 'status' | 'amount' | 'currency' | 'payment_date' | 'related_payments' | 'is_resubmit'>

/** A payment somebody names: `kind` is null where the service's word for it is not known, and it cannot be read then. */
export type ChainLink = { id: string; kind: PaymentKind | null }

/** A payment of a chain: read, or not to be had with the reason a person reads. */
export type ChainNode = ChainLink & ({ payment: ChainPayment } | { payment: null; why: string })

/** A line of the drawn chain. `as` is what it is to the one before it; `depth` is 0 for the main line and 1 for what hangs off it, such as a refund. */
export type ChainStep = ChainNode & { as: 'original' | 'resubmit' | 'refund' | 'related'; depth: 0 | 1 }

/** How many payments a chain follows: a chain that is longer says so instead of asking without end. */
export const chainBound = 12

export const linksOf = ({ related_payments }: Pick<ChainPayment, 'related_payments'>): ChainLink[] =>
  related_payments.map(({ id, payment_type }) => ({ id, kind: kindOf(payment_type) }))

type Nodes = ReadonlyMap<string, ChainNode>
type Relation = 'resubmit' | 'refund' | 'related'

const relatedIn = (node: ChainNode | undefined) => node?.payment?.related_payments ?? []

/**
 * The payment a later one was made of. A resubmitted refund names two originals, the refund before it and the charge (provider facts 3.1);
 * the one of its own kind is the one it repeats.
 */
function parentOf(nodes: Nodes, node: ChainNode): string | undefined {
  const originals = relatedIn(node).filter(({ relationship, id }) => relationship === 'original' && id !== node.id)
  const same = originals.find(({ payment_type }) => kindOf(payment_type) === node.kind)
  const named = (node.payment?.is_resubmit ? (same ?? originals[0]) : originals[0])?.id
  // A parent that was not read may still be named by nothing else, so it is found by who names this one.
  return (
    named ?? [...nodes.values()].find((other) => relatedIn(other).some((link) => link.id === node.id && isLater(link.relationship)))?.id
  )
}

const isLater = (relationship: string) => relationship === 'resubmit' || relationship === 'refund'

function relationOf(nodes: Nodes, node: ChainNode, parent: string): Relation {
  const said = relatedIn(nodes.get(parent)).find(({ id }) => id === node.id)?.relationship
  if (said === 'resubmit' || said === 'refund') return said
  const own = relatedIn(node).some(({ id, relationship }) => id === parent && relationship === 'original')
  if (!own) return 'related'
  return nodes.get(parent)?.kind === node.kind ? 'resubmit' : 'refund'
}

function rootOf(nodes: Nodes, start: ChainNode): ChainNode {
  const seen = new Set<string>()
  let node = start
  for (;;) {
    seen.add(node.id)
    const parent = nodes.get(parentOf(nodes, node) ?? '')
    if (!parent || seen.has(parent.id)) return node
    node = parent
  }
}

/**
 * The chain a payment is in, in the order it came about: the original, its second tries one after the other, and each refund below the
 * charge it pays back. Nodes that nothing ties to the line come last as `related`. `nodes` holds the payment itself and what was read around it.
 */
export function chainOf(nodes: Nodes, currentId: string): ChainStep[] {
  const current = nodes.get(currentId)
  if (!current) return []
  const steps: ChainStep[] = []
  const drawn = new Set<string>()
  const draw = (node: ChainNode, as: ChainStep['as'], depth: 0 | 1) => {
    if (drawn.has(node.id)) return
    drawn.add(node.id)
    steps.push({ ...node, as, depth })
    const children = [...nodes.values()].filter((other) => !drawn.has(other.id) && parentOf(nodes, other) === node.id)
    const tied = children.map((child) => ({ child, relation: relationOf(nodes, child, node.id) }))
    for (const { child } of tied.filter(({ relation }) => relation === 'refund')) draw(child, 'refund', 1)
    for (const { child } of tied.filter(({ relation }) => relation === 'resubmit')) draw(child, 'resubmit', depth)
  }
  draw(rootOf(nodes, current), 'original', 0)
  for (const node of nodes.values()) if (!drawn.has(node.id)) steps.push({ ...node, as: 'related', depth: 1 })
  return steps
}

/** What a payment that came to nothing leads to; `id` says what a screen offers for it, `sentence` is for a person. */
type NextStep = { id: 'follow' | 'unblock' | 'other_account' | 'resubmit' | 'stop'; sentence: string }

/** What the next step hangs on: the payment, and as far as they are known its paykey's state and whether that can be unblocked. */
export type NextFacts = {
  kind: PaymentKind
  payment: Pick<Payment, 'status' | 'status_details' | 'has_resubmit'>
  paykeyStatus?: string
  unblockEligible?: boolean
}

const lost = ['blocked', 'rejected', 'inactive']

/** The next step after a failure or a return; null where there is none to name. Nothing is offered twice: a resubmission is followed instead. */
export function nextStep({ kind, payment, paykeyStatus = '', unblockEligible }: NextFacts): NextStep | null {
  if (!['failed', 'reversed', 'cancelled'].includes(payment.status)) return null
  if (payment.has_resubmit === true) return { id: 'follow', sentence: `Resubmitted as a new ${kind}.` }
  if (payment.status === 'cancelled') return null
  const code = returnCode(payment.status_details?.code)
  if (paykeyStatus === 'blocked' && unblockEligible === true)
    return {
      id: 'unblock',
      sentence: 'Once the customer’s bank allow-lists our ACH company ID, unblock the bank account (possible once), then resubmit.',
    }
  if (code?.again === 'never' && !code.otherAccount) return { id: 'stop', sentence: 'Do not resubmit this payment.' }
  if (code?.again === 'never' || lost.includes(paykeyStatus))
    return { id: 'other_account', sentence: `Connect another bank account of the customer, then create a new ${kind}.` }
  if (code?.first) return { id: 'resubmit', sentence: `Can be resubmitted once this is true: ${code.first}` }
  return { id: 'resubmit', sentence: `Can be resubmitted as a new ${kind}.` }
}
