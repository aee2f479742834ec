'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import type { ActionChoice } from '@/components/kits/action/action-area'
import { useClosed } from '@/components/kits/action/use-closed'
import { useOutcome } from '@/components/kits/action/use-outcome'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { Owner } from '@/components/kits/record/use-owner'
import { actionsAt, type PaymentAction, whyNot } from '@/lib/domain/payment-rules'
import type { WriteId } from '@/lib/operations/rows'
import { actionWords } from './decision-words'
import { operationOf } from './payment-operations'
import type { PaymentProps } from './payment-props'
import type { PaymentFacts } from './use-payment-facts'

/** Actions with a form in the bar; a link may name one by `?do=`. */
const withForm: readonly PaymentAction[] = ['release', 'hold', 'cancel', 'update', 'resubmit', 'refund']

const looks: Partial<Record<PaymentAction, Partial<ActionChoice>>> = {
  release: { variant: 'primary' },
  resubmit: { variant: 'primary' },
  refund: { variant: 'primary' },
  cancel: { variant: 'quiet' },
  authorize: { aside: true },
}

/** Takes `do` out of the address, so that a reload does not open the form again. */
function forgetAsked(): void {
  const url = new URL(window.location.href)
  if (!url.searchParams.has('do')) return
  url.searchParams.delete('do')
  window.history.replaceState(null, '', url)
}

/** What can be done with a payment, why not, what is open, and what came of the last write. */
export function usePaymentWork(props: PaymentProps, owner: Owner, facts: PaymentFacts) {
  const { kind, answer, actions, onClose, onChanged } = props
  const payment = answer.data
  const { amountUnit } = useDesk()
  const state = useOutcome({ actions, stale: ['payouts', 'charges', 'payments'], onChanged })
  const asked = useSearchParams().get('do')
  const first = withForm.find((action) => action === asked && !onClose)
  const [open, setOpen] = useState<WriteId | null>(first ? operationOf(kind, first) : null)
  const [uploading, setUploading] = useState(false)
  const paykeyStatus = facts.paykey.state === 'known' ? facts.paykey.value.status : undefined
  const closedOf = useClosed({ ownerWhy: owner.why, live: state.live })
  const closed = (action: PaymentAction) =>
    closedOf(operationOf(kind, action), whyNot(action, payment, { kind, paykeyStatus, unit: amountUnit }))
  const decide = (operation: WriteId | null) => {
    setOpen(operation)
    if (operation) setUploading(false)
    else forgetAsked()
  }
  const here = actionsAt(kind, payment.status)
  // A form that is open stays, whatever the payment became meanwhile: what was typed is read before it is given up.
  const shown = [...here, ...withForm.filter((action) => operationOf(kind, action) === open && !here.includes(action))]
  const words = actionWords(kind)
  const choices = shown.map(
    (action): ActionChoice => ({
      operation: operationOf(kind, action),
      opens: words[action].opens,
      key: words[action].key,
      closed: closed(action),
      ...looks[action],
      ...(action === 'authorize' ? { press: () => setUploading(true) } : {}),
    }),
  )
  return { state, open, decide, closed, choices, uploading, setUploading, paykeyStatus }
}
