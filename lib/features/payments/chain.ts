import { type Payment, type PaymentKind, parsePaymentKind } from '@/lib/domain/payment-kind'
import { findReturnCode } from '@/lib/domain/return-codes'

/** A chain is a payment with its resubmissions and refunds. */
type ChainPayment = Pick<
  Payment,
  'id' | 'status' | 'amount' | 'currency' | 'payment_date' | 'related_payments' | 'is_resubmit'
>

/** `kind` is null if the type is unknown; Paydesk then cannot read the payment. */
export type ChainPaymentKey = { id: string; kind: PaymentKind | null }

export type ChainNode = ChainPaymentKey &
  ({ payment: ChainPayment } | { payment: null; why: string })

/** `as`: the relation to the payment from which it was created. `depth`: the indentation. */
export type ChainRow = ChainNode & {
  as: 'original' | 'resubmit' | 'refund' | 'related'
  depth: 0 | 1
}

/** Maximum number of payments that are read for a chain. If there are more, the screen says so. */
export const maxChainPayments = 12

export const toChainPaymentKeys = ({
  related_payments,
}: Pick<ChainPayment, 'related_payments'>): ChainPaymentKey[] =>
  related_payments.map(({ id, payment_type }) => ({ id, kind: parsePaymentKind(payment_type) }))

type NodesById = ReadonlyMap<string, ChainNode>
type PaymentRelation = 'resubmit' | 'refund' | 'related'

const listRelatedPayments = (node: ChainNode | undefined) => node?.payment?.related_payments ?? []

/**
 * A resubmitted refund names two originals: the earlier refund and the charge (provider facts 3.1).
 * Its parent is the one of the same kind.
 */
function findParentId(nodes: NodesById, node: ChainNode): string | undefined {
  const originalPayments = listRelatedPayments(node).filter(
    ({ relationship, id }) => relationship === 'original' && id !== node.id,
  )
  const sameKindOriginal = originalPayments.find(
    ({ payment_type }) => parsePaymentKind(payment_type) === node.kind,
  )
  const namedParentId = (
    node.payment?.is_resubmit ? (sameKindOriginal ?? originalPayments[0]) : originalPayments[0]
  )?.id
  // Without a named parent, it is the payment that lists this one as a resubmission or refund.
  return (
    namedParentId ??
    [...nodes.values()].find((other) =>
      listRelatedPayments(other).some(
        (link) => link.id === node.id && isLaterRelation(link.relationship),
      ),
    )?.id
  )
}

const isLaterRelation = (relationship: string) =>
  relationship === 'resubmit' || relationship === 'refund'

function findRelation(nodes: NodesById, node: ChainNode, parentId: string): PaymentRelation {
  const parentRelation = listRelatedPayments(nodes.get(parentId)).find(
    ({ id }) => id === node.id,
  )?.relationship
  if (parentRelation === 'resubmit' || parentRelation === 'refund') return parentRelation
  const hasParentLink = listRelatedPayments(node).some(
    ({ id, relationship }) => id === parentId && relationship === 'original',
  )
  if (!hasParentLink) return 'related'
  return nodes.get(parentId)?.kind === node.kind ? 'resubmit' : 'refund'
}

function findOriginalNode(nodes: NodesById, start: ChainNode): ChainNode {
  const visitedIds = new Set<string>()
  let node = start
  for (;;) {
    visitedIds.add(node.id)
    const parent = nodes.get(findParentId(nodes, node) ?? '')
    if (!parent || visitedIds.has(parent.id)) return node
    node = parent
  }
}

/**
 * In order of creation, with each refund below its charge. Payments for which no such relation is
 * known come last, as `related`. `nodes` contains the payment itself.
 */
export function buildChain(nodes: NodesById, currentId: string): ChainRow[] {
  const currentNode = nodes.get(currentId)
  if (!currentNode) return []
  const chainRows: ChainRow[] = []
  const addedIds = new Set<string>()
  const addStep = (node: ChainNode, stepRole: ChainRow['as'], depth: 0 | 1) => {
    if (addedIds.has(node.id)) return
    addedIds.add(node.id)
    chainRows.push({ ...node, as: stepRole, depth })
    const children = [...nodes.values()].filter(
      (other) => !addedIds.has(other.id) && findParentId(nodes, other) === node.id,
    )
    const childRelations = children.map((child) => ({
      child,
      relation: findRelation(nodes, child, node.id),
    }))
    for (const { child } of childRelations.filter(({ relation }) => relation === 'refund'))
      addStep(child, 'refund', 1)
    for (const { child } of childRelations.filter(({ relation }) => relation === 'resubmit'))
      addStep(child, 'resubmit', depth)
  }
  addStep(findOriginalNode(nodes, currentNode), 'original', 0)
  for (const node of nodes.values())
    if (!addedIds.has(node.id)) chainRows.push({ ...node, as: 'related', depth: 1 })
  return chainRows
}

type NextStep = {
  id: 'follow' | 'unblock' | 'other_account' | 'resubmit' | 'stop'
  sentence: string
}

/** `paykeyStatus` and `unblockEligible` describe the payment's paykey; undefined if unknown. */
export type NextStepFacts = {
  kind: PaymentKind
  payment: Pick<Payment, 'status' | 'status_details' | 'has_resubmit'>
  paykeyStatus?: string
  unblockEligible?: boolean
}

const unusablePaykeyStates = ['blocked', 'rejected', 'inactive']

/** After a resubmission, links to the new payment, so that no second one is offered. */
export function findNextStep({
  kind,
  payment,
  paykeyStatus = '',
  unblockEligible,
}: NextStepFacts): NextStep | null {
  if (!['failed', 'reversed', 'cancelled'].includes(payment.status)) return null
  if (payment.has_resubmit === true)
    return { id: 'follow', sentence: `Resubmitted as a new ${kind}.` }
  if (payment.status === 'cancelled') return null
  const returnCode = findReturnCode(payment.status_details?.code)
  if (paykeyStatus === 'blocked' && unblockEligible === true)
    return {
      id: 'unblock',
      sentence:
        'Once the customer’s bank allow-lists our ACH company ID, unblock the bank account (possible once), then resubmit.',
    }
  if (returnCode?.again === 'never' && !returnCode.otherAccount)
    return { id: 'stop', sentence: 'Do not resubmit this payment.' }
  if (returnCode?.again === 'never' || unusablePaykeyStates.includes(paykeyStatus))
    return {
      id: 'other_account',
      sentence: `Connect another bank account of the customer, then create a new ${kind}.`,
    }
  if (returnCode?.first)
    return { id: 'resubmit', sentence: `Can be resubmitted once this is true: ${returnCode.first}` }
  return { id: 'resubmit', sentence: `Can be resubmitted as a new ${kind}.` }
}
