'use client'

import type { ReactNode } from 'react'
import type { OpenForm } from '@/components/kits/action/action-area'
import { ConfirmForm } from '@/components/kits/action/confirm-form'
import { CheckList } from '@/components/kits/record/check-list'
import type { Check } from '@/lib/domain/fact'
import { type PaykeyDecision, paykeyReasons, paykeyTicks } from '@/lib/domain/paykey-reasons'
import { unblockChecks, unblockedHere } from '@/lib/domain/paykey-rules'
import type { ActionView } from '@/lib/operations/answer'
import { type Paykey, paykeySchemas } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { bankText, lastFourOf } from './bank-text'
import { TurnSentence } from './turn-sentence'
import { operationOf, turnWords } from './turn-words'
import { expectedText, WaitingSum } from './waiting-panel'

type PaykeyFormProps = OpenForm<PaykeyDecision> & {
  paykey: Paykey
  readAt: string
  account: string
  snapshot: string | undefined
  correlationId: string
  customerName: string | undefined
  /** The payments that wait; undefined where they could not be read. */
  waiting: readonly PaymentSummary[] | undefined
  checks: readonly Check[]
  actions: readonly ActionView[]
}

/** What an approval goes against; each has to be acknowledged by itself. */
const doubted = ['names', 'customer', 'expiry', 'alike']

const cautionsOf = (turn: PaykeyDecision, checks: readonly Check[]): string[] => {
  if (turn !== 'approve') return [...paykeyTicks[turn]]
  return checks
    .filter(({ id, result }) => doubted.includes(id) && result !== 'pass')
    .map(({ label, sentence }) => `${label}: ${sentence} Approve it all the same.`)
}

const fieldsOf: Readonly<Record<PaykeyDecision, Record<string, unknown>>> = {
  approve: { status: 'active' },
  reject: { status: 'rejected' },
  unblock: {},
  cancel: {},
}

/** The confirm sheet of an approval, rejection, unblock or cancellation. */
export function PaykeyForm(props: PaykeyFormProps) {
  const { paykey, account, customerName, waiting, checks, actions, readAt, ...form } = props
  const turn = form.name
  const operation = operationOf[turn]
  const digits = lastFourOf(paykey)
  return (
    <ConfirmForm
      {...form}
      account={account}
      operation={operation}
      id={paykey.id}
      sentence={
        <div className="grid gap-2">
          <TurnSentence turn={turn} paykey={paykey} customerName={customerName} account={account} />
          {turn === 'unblock' && <Once checks={unblockChecks(paykey, unblockedHere(actions), readAt)} />}
          <Moves turn={turn} waiting={waiting} />
        </div>
      }
      send={`${turnWords[turn].verb} ${bankText(paykey)}`}
      danger={turn !== 'approve'}
      reasons={paykeyReasons[turn]}
      names={[customerName]}
      cautions={cautionsOf(turn, checks)}
      typed={turn === 'unblock' && digits ? { label: 'Type the last four digits of the account', expected: digits } : undefined}
      schema={paykeySchemas[operation].input}
      values={{}}
      toInput={() => fieldsOf[turn]}
    />
  )
}

/** What cannot be had back, in the largest words of the sheet, and the conditions that were looked up. */
const Once = ({ checks }: { checks: readonly Check[] }): ReactNode => (
  <>
    <p className="font-semibold text-bad text-xl">This can be done once for this paykey, ever.</p>
    <CheckList checks={checks} />
  </>
)

/** What the decision is expected to do to the payments that wait. */
function Moves({ turn, waiting }: { turn: PaykeyDecision; waiting: readonly PaymentSummary[] | undefined }): ReactNode {
  if (waiting === undefined)
    return <p className="text-held text-sm">The payments that wait on it could not be read, so what moves is not known.</p>
  if (waiting.length === 0) return <p className="text-sm">No payment waits on it.</p>
  return (
    <div className="grid gap-0.5 rounded-sm bg-sunken px-3 py-2 text-sm">
      <WaitingSum payments={waiting} total={undefined} />
      <p>Expected: {expectedText(waiting, turn)}</p>
    </div>
  )
}
