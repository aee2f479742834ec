'use client'

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Amount } from '@/components/kits/layout/amount'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { ShortId } from '@/components/ui/copy-button'
import { asCallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { type Payment, type PaymentKind, parsePaymentKind } from '@/lib/domain/payment-kind'
import {
  buildChain,
  type ChainLink,
  type ChainNode,
  type ChainStep,
  findNextStep,
  maxChainPayments,
  toChainLinks,
} from '@/lib/features/payments/chain'
import { paymentNouns } from '@/lib/features/payments/labels'
import { connectBankAccountPath, recordPath } from '@/lib/routes'
import { RelatedRecordCard, RelationArrow } from './strip-card'
import type { PaymentFacts } from './use-facts'

/** The related payments that were read. `cut` is true if there are more than `maxChainPayments`. */
type PaymentChain = { steps: ChainStep[]; reading: boolean; cut: boolean }

type ChainWalkResult = { nodes: Map<string, ChainNode>; cut: boolean }

async function readChainNode(
  client: QueryClient,
  context: CallScope,
  { id, kind }: ChainLink,
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
    return { id, kind, payment: null, why: `Could not be read: ${asCallError(cause).message}` }
  }
}

/**
 * Reads the related payments in rounds: first those that `start` names, then those that these name,
 * and so on. The reads of a round are parallel. Ends when a round finds no new payment, or at
 * `maxChainPayments`.
 */
async function walkChain(
  client: QueryClient,
  context: CallScope,
  start: ChainNode & { payment: Payment },
): Promise<ChainWalkResult> {
  const nodes = new Map<string, ChainNode>([[start.id, start]])
  let nextLinks = toChainLinks(start.payment)
  while (nextLinks.length > 0) {
    const remainingCount = maxChainPayments - nodes.size
    const foundNodes = await Promise.all(
      nextLinks.slice(0, remainingCount).map((link) => readChainNode(client, context, link)),
    )
    for (const node of foundNodes) nodes.set(node.id, node)
    if (nextLinks.length > remainingCount) return { nodes, cut: true }
    const linksById = new Map(
      foundNodes
        .flatMap((node) => (node.payment ? toChainLinks(node.payment) : []))
        .map((link) => [link.id, link]),
    )
    nextLinks = [...linksById.values()].filter(({ id }) => !nodes.has(id))
  }
  return { nodes, cut: false }
}

/** Returns the payment and the ids it links to. Shown while the linked payments load. */
function buildInitialWalk(start: ChainNode & { payment: Payment }): ChainWalkResult {
  const linkedNodes = toChainLinks(start.payment).map((link): [string, ChainNode] => [
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
  const linkedPaymentIds = toChainLinks(payment).map(({ id }) => id)
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
    queryFn: () => walkChain(client, context, startNode),
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

type ChainColumn = { step: ChainStep; below: ChainStep[] }

/** One column for the original and for each resubmission, with its refunds below it. */
function toChainColumns(steps: readonly ChainStep[]): ChainColumn[] {
  const columns: ChainColumn[] = []
  for (const step of steps) {
    const lastColumn = columns.at(-1)
    if (step.depth === 0 || !lastColumn) columns.push({ step, below: [] })
    else lastColumn.below.push(step)
  }
  return columns
}

const relationLabels: Readonly<Record<ChainStep['as'], string>> = {
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
  step: ChainStep
  current: string
  account: string | null
}) {
  const context = usePageContext()
  const nouns = step.kind && paymentNouns[step.kind]
  const stepLabel = nouns ? `${relationLabels[step.as]}, ${nouns.one}` : relationLabels[step.as]
  const href = nouns
    ? recordPath(context, nouns.resource, step.id, { account: account ?? context.account })
    : undefined
  if (!step.payment) {
    return (
      <RelatedRecordCard
        kind={stepLabel}
        name={<ShortId id={step.id} />}
        href={href}
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
      href={href}
      current={step.id === current}
    >
      <RecordStatusBadge kind="payment" status={status} />
      <span className="text-ink-3">
        {payment_date ? <CalendarDate date={payment_date} /> : 'date unknown'}
      </span>
    </RelatedRecordCard>
  )
}

/** `disabledReason` is null if the button is enabled. */
export type ResubmitProps = {
  account: string | null
  disabledReason: string | null
  onResubmit: () => void
}

type NextStepsProps = {
  kind: PaymentKind
  payment: Payment
  facts: PaymentFacts
  next: ResubmitProps
}

/** The next step after a failed or returned payment, and its resubmission and refund. */
export function NextSteps({ kind, payment, facts, next }: NextStepsProps) {
  const context = usePageContext()
  const paykey = facts.paykey.data
  const nextStepAfterReturn = findNextStep({
    kind,
    payment,
    paykeyStatus: paykey?.status,
    unblockEligible: paykey?.unblock_eligible,
  })
  const account = next.account ?? context.account
  const scope = { account }
  const buttonClasses = buttonVariants({ size: 'small' })
  const customerId = payment.customer_details?.id
  const paykeyId = payment.paykey_details?.id
  return (
    <>
      {kind === 'charge' && payment.status === 'reversed' && payment.has_refund && (
        <p className="font-medium text-ink">
          The charge was refunded and returned: the customer may have been paid twice. Check the
          refund first.
        </p>
      )}
      {nextStepAfterReturn && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <span className="text-ink-3">Next:</span> {nextStepAfterReturn.sentence}
          </span>
          {nextStepAfterReturn.id === 'resubmit' && (
            <Button
              size="small"
              disabledReason={next.disabledReason}
              onClick={next.onResubmit}
              className="print:hidden"
            >
              Resubmit…
            </Button>
          )}
          {nextStepAfterReturn.id === 'unblock' && paykeyId && (
            <Link href={recordPath(context, 'paykeys', paykeyId, scope)} className={buttonClasses}>
              Go to the bank account
            </Link>
          )}
          {nextStepAfterReturn.id === 'other_account' && customerId && (
            <Link
              href={connectBankAccountPath(context, { ...scope, customer: customerId })}
              className={buttonClasses}
            >
              Connect another bank account
            </Link>
          )}
        </p>
      )}
      <FollowUpPayment payment={payment} as="resubmit" account={account} />
      <FollowUpPayment payment={payment} as="refund" account={account} />
    </>
  )
}

function FollowUpPayment({
  payment,
  as,
  account,
}: {
  payment: Payment
  as: 'resubmit' | 'refund'
  account: string | null
}) {
  const context = usePageContext()
  const followUp = findFollowUpPayment(payment, as)
  if (!followUp) return null
  const { resource, one } = paymentNouns[followUp.kind]
  return (
    <p>
      <Link
        href={recordPath(context, resource, followUp.id, { account })}
        className="font-medium text-accent hover:underline"
      >
        {as === 'refund' ? 'Open its refund' : `Open the new ${one}`}
      </Link>
    </p>
  )
}

/**
 * Returns the refund or the resubmission of a payment; undefined if there is none or its kind is
 * unknown.
 */
function findFollowUpPayment(
  payment: Pick<Payment, 'related_payments'>,
  as: 'resubmit' | 'refund',
): { id: string; kind: PaymentKind } | undefined {
  const relatedPayment = payment.related_payments.find(({ relationship }) => relationship === as)
  const kind = relatedPayment && parsePaymentKind(relatedPayment.payment_type)
  return relatedPayment && kind ? { id: relatedPayment.id, kind } : undefined
}

const endedStatuses = ['failed', 'reversed', 'cancelled']

/**
 * True if the payment failed, was returned or canceled, or has related payments. Only then can
 * `NextSteps` show something.
 */
export const hasNextSteps = ({ status, related_payments }: Payment): boolean =>
  endedStatuses.includes(status) || related_payments.length > 0
