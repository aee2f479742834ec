'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Amount } from '@/components/kits/layout/amount'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { ShortId } from '@/components/ui/copy-button'
import { toCallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import {
  buildChain,
  type ChainNode,
  type ChainPaymentKey,
  type ChainRow,
  maxChainPayments,
  toChainPaymentKeys,
} from '@/lib/features/payments/chain'
import { paymentNouns } from '@/lib/features/payments/labels'
import { recordPath } from '@/lib/routes'
import { RelatedRecordCard, RelationArrow } from './strip-card'

/** The related payments that were read. `cut` is true if there are more than `maxChainPayments`. */
type PaymentChain = { steps: ChainRow[]; reading: boolean; cut: boolean }

type ChainWalkResult = { nodes: Map<string, ChainNode>; cut: boolean }

async function readChainNode(
  client: QueryClient,
  context: CallScope,
  { id, kind }: ChainPaymentKey,
): Promise<ChainNode> {
  if (kind === null)
    return {
      id,
      kind,
      payment: null,
      why: 'The service does not say whether it is a charge or a payout.',
    }
  try {
    const input = { id }
    const paymentAnswer = await (kind === 'charge'
      ? client.fetchQuery(operationQuery(context, 'charges.get', input))
      : client.fetchQuery(operationQuery(context, 'payouts.get', input)))
    return { id, kind, payment: paymentAnswer.data }
  } catch (cause) {
    return { id, kind, payment: null, why: `Could not be read: ${toCallError(cause).message}` }
  }
}

/**
 * Reads the related payments in rounds: first those that `start` names, then those that these name,
 * and so on. The reads of a round are parallel. Ends when a round finds no new payment, or at
 * `maxChainPayments`.
 */
async function walkPaymentChain(
  client: QueryClient,
  context: CallScope,
  start: ChainNode & { payment: Payment },
): Promise<ChainWalkResult> {
  const nodes = new Map<string, ChainNode>([[start.id, start]])
  let nextLinks = toChainPaymentKeys(start.payment)
  while (nextLinks.length > 0) {
    const remainingCount = maxChainPayments - nodes.size
    const foundNodes = await Promise.all(
      nextLinks.slice(0, remainingCount).map((link) => readChainNode(client, context, link)),
    )
    for (const node of foundNodes) nodes.set(node.id, node)
    if (nextLinks.length > remainingCount) return { nodes, cut: true }
    const linksById = new Map(
      foundNodes
        .flatMap((node) => (node.payment ? toChainPaymentKeys(node.payment) : []))
        .map((link) => [link.id, link]),
    )
    nextLinks = [...linksById.values()].filter(({ id }) => !nodes.has(id))
  }
  return { nodes, cut: false }
}

/** Returns the payment and the ids it links to. Shown while the linked payments load. */
function buildInitialWalk(start: ChainNode & { payment: Payment }): ChainWalkResult {
  const linkedNodes = toChainPaymentKeys(start.payment).map((link): [string, ChainNode] => [
    link.id,
    { ...link, payment: null, why: 'Loading…' },
  ])
  return { nodes: new Map([[start.id, start], ...linkedNodes]), cut: false }
}

/**
 * Reads the payments related to this one: those from which it was created, and those created from
 * it.
 */
function usePaymentChain(kind: PaymentKind, payment: Payment): PaymentChain {
  const context = usePageContext()
  const client = useQueryClient()
  const startNode = { id: payment.id, kind, payment }
  const linkedPaymentIds = toChainPaymentKeys(payment).map(({ id }) => id)
  const { data, isFetching } = useQuery({
    // As in every query key, the third element is the resource: a write that invalidates payments
    // invalidates this query too.
    queryKey: [
      context.environment,
      context.account ?? 'platform',
      'payments',
      'chain',
      payment.id,
      payment.updated_at,
      linkedPaymentIds,
    ],
    queryFn: () => walkPaymentChain(client, context, startNode),
    enabled: linkedPaymentIds.length > 0,
  })
  const { nodes, cut } = data ?? buildInitialWalk(startNode)
  return { steps: buildChain(nodes, payment.id), reading: isFetching, cut }
}

type PaymentChainPanelProps = { kind: PaymentKind; payment: Payment; account: string | null }

export function PaymentChainPanel({ kind, payment, account }: PaymentChainPanelProps) {
  const { steps, reading, cut } = usePaymentChain(kind, payment)
  const columns = toChainColumns(steps)
  return (
    <Panel
      title="Related payments"
      aside={reading && <span className="text-ink-3 text-xs">reading…</span>}
    >
      <ol aria-label="Related payments" className="flex flex-wrap items-start gap-x-1.5 gap-y-2">
        {columns.map(({ step, below }, at) => (
          <li key={step.id} className="flex items-start gap-1.5">
            {at > 0 && <RelationArrow />}
            <div className="grid gap-1.5">
              <ChainStepCard step={step} current={payment.id} account={account} />
              {below.length > 0 && (
                <ul className="grid gap-1.5 border-line border-l-2 pl-3">
                  {below.map((branch) => (
                    <li key={branch.id}>
                      <ChainStepCard step={branch} current={payment.id} account={account} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
      {cut && (
        <p className="mt-2 text-ink-3 text-xs">
          There are more than are shown here; open the last one to follow them.
        </p>
      )}
    </Panel>
  )
}

type ChainColumn = { step: ChainRow; below: ChainRow[] }

/** One column for the original and for each resubmission, with its refunds below it. */
function toChainColumns(steps: readonly ChainRow[]): ChainColumn[] {
  const columns: ChainColumn[] = []
  for (const step of steps) {
    const lastColumn = columns.at(-1)
    if (step.depth === 0 || !lastColumn) columns.push({ step, below: [] })
    else lastColumn.below.push(step)
  }
  return columns
}

const relationLabels: Readonly<Record<ChainRow['as'], string>> = {
  original: 'Original',
  resubmit: 'Resubmitted',
  refund: 'Refund',
  related: 'Related',
}

function ChainStepCard({
  step,
  current,
  account,
}: {
  step: ChainRow
  current: string
  account: string | null
}) {
  const context = usePageContext()
  const nouns = step.kind && paymentNouns[step.kind]
  const stepLabel = nouns ? `${relationLabels[step.as]}, ${nouns.one}` : relationLabels[step.as]
  const chainStepHref = nouns
    ? recordPath(context, nouns.resource, step.id, { account: account ?? context.account })
    : undefined
  if (!step.payment) {
    return (
      <RelatedRecordCard
        kind={stepLabel}
        name={<ShortId id={step.id} />}
        href={chainStepHref}
        current={step.id === current}
      >
        <span className="text-ink-3">{step.why}</span>
      </RelatedRecordCard>
    )
  }
  const { amount, currency, status, payment_date } = step.payment
  return (
    <RelatedRecordCard
      kind={stepLabel}
      name={<Amount raw={amount} currency={currency} unit={context.amountUnit} />}
      href={chainStepHref}
      current={step.id === current}
    >
      <RecordStatusBadge kind="payment" status={status} />
      <span className="text-ink-3">
        {payment_date ? <CalendarDate date={payment_date} /> : 'date unknown'}
      </span>
    </RelatedRecordCard>
  )
}
