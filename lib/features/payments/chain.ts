import { kindOf, type Payment, type PaymentKind } from '@/lib/domain/payment-kind'
import { returnCode } from '@/lib/domain/return-codes'

/** The fields of a payment that a chain needs. */
type ChainPayment = Pick<Payment, 'id' | 'status' | 'amount' | 'currency' | 'payment_date' | 'related_payments' | 'is_resubmit'>

/** A payment that is named by another payment. If its type is unknown, `kind` is null and the payment cannot be read. */
export type ChainLink = { id: string; kind: PaymentKind | null }

/** A payment of a chain, or the reason why it could not be read. */
export type ChainNode = ChainLink & ({ payment: ChainPayment } | { payment: null; why: string })

/** A line of the displayed chain. `as` is the relation to its parent. `depth`: 0 for the original and its resubmissions, 1 for branches. */
export type ChainStep = ChainNode & { as: 'original' | 'resubmit' | 'refund' | 'related'; depth: 0 | 1 }

/** Maximum number of payments that are read for a chain. The screen shows if a chain is longer. */
export const chainBound = 12

export const linksOf = ({ related_payments }: Pick<ChainPayment, 'related_payments'>): ChainLink[] =>
  related_payments.map(({ id, payment_type }) => ({ id, kind: kindOf(payment_type) }))

type Nodes = ReadonlyMap<string, ChainNode>
type Relation = 'resubmit' | 'refund' | 'related'

const relatedIn = (node: ChainNode | undefined) => node?.payment?.related_payments ?? []

/**
 * Returns the id of the payment from which this one was created. A resubmitted refund names two originals, the earlier refund and the
 * charge (provider facts 3.1); its parent is the one of its own kind.
 */
function parentOf(nodes: Nodes, node: ChainNode): string | undefined {
  const originals = relatedIn(node).filter(({ relationship, id }) => relationship === 'original' && id !== node.id)
  const same = originals.find(({ payment_type }) => kindOf(payment_type) === node.kind)
  const named = (node.payment?.is_resubmit ? (same ?? originals[0]) : originals[0])?.id
  // If the payment names no parent, the parent is a payment that names this one.
  return (
    named ?? [...nodes.values()].find((other) => relatedIn(other).some((link) => link.id === node.id && isLater(link.relationship)))?.id
  )
}

const isLater = (relationship: string) => relationship === 'resubmit' || relationship === 'refund'

function relationOf(nodes: Nodes, node: ChainNode, parent: string): Relation {
  const parentRelation = relatedIn(nodes.get(parent)).find(({ id }) => id === node.id)?.relationship
  if (parentRelation === 'resubmit' || parentRelation === 'refund') return parentRelation
  const hasParentLink = relatedIn(node).some(({ id, relationship }) => id === parent && relationship === 'original')
  if (!hasParentLink) return 'related'
  return nodes.get(parent)?.kind === node.kind ? 'resubmit' : 'refund'
}

function rootOf(nodes: Nodes, start: ChainNode): ChainNode {
  const visitedIds = new Set<string>()
  let node = start
  for (;;) {
    visitedIds.add(node.id)
    const parent = nodes.get(parentOf(nodes, node) ?? '')
    if (!parent || visitedIds.has(parent.id)) return node
    node = parent
  }
}

/**
 * Returns the chain of a payment in order of creation: the original, its resubmissions, and each refund below its charge. Payments without
 * a connection come last as `related`. `nodes` contains the payment itself and the payments read for the chain.
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

/** The next step after a failed payment. `id` is the action that the screen offers, `sentence` the text for the person. */
type NextStep = { id: 'follow' | 'unblock' | 'other_account' | 'resubmit' | 'stop'; sentence: string }

/** The facts for the next step: the payment, and if known, the status of its paykey and if it can be unblocked. */
export type NextFacts = {
  kind: PaymentKind
  payment: Pick<Payment, 'status' | 'status_details' | 'has_resubmit'>
  paykeyStatus?: string
  unblockEligible?: boolean
}

const lost = ['blocked', 'rejected', 'inactive']

/**
 * Returns the next step after a failure or a return; null if there is none. For a payment that was resubmitted, it is a link to the new
 * payment, so that no second resubmission is offered.
 */
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
