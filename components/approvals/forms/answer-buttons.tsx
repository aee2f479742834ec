'use client'

import { type Ref, useRef, useState } from 'react'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { Button, type ButtonProps, Kbd } from '@/components/ui/button'
import { moneyText } from '@/lib/money'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import type { Input } from '@/lib/operations/registry'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { type NextRequest, NextRequestButton } from './next-request'
import { RequestTextForm } from './request-text-form'

type AnswerOperationId =
  | 'approvals.approve'
  | 'approvals.reject'
  | 'approvals.ask'
  | 'approvals.withdraw'

export type ApprovalAnswer = {
  [K in AnswerOperationId]: { operation: K; input: Input<K> }
}[AnswerOperationId]

type ApprovalAnswerButtonsProps = {
  request: ApprovalDetail
  sending: ApprovalAnswer['operation'] | null
  onAnswer: (answer: ApprovalAnswer) => void
  next: NextRequest | null
}

const keyByAnswer = { approve: 'a', reject: 'x', ask: 'q' } as const
const shortcutLabels = {
  group: 'Approval',
  keys: {
    [keyByAnswer.approve]: 'Go to “Approve”, then Enter',
    [keyByAnswer.reject]: 'Reject',
    [keyByAnswer.ask]: 'Ask for information',
  },
}

/** The buttons, or the form that one of them opened. A key opens a form and never decides. */
export function ApprovalAnswerButtons(props: ApprovalAnswerButtonsProps) {
  const { request, sending, onAnswer } = props
  const { id, own } = request.action
  const [openForm, setOpenForm] = useState<'reject' | 'ask' | null>(null)
  const approveButton = useRef<HTMLButtonElement>(null)
  const isOnline = useOnline()
  const disabledReason = isOnline ? request.disabled_reason : offlineReason
  const canAnswer = disabledReason === null && !own
  useShortcut(
    Object.values(keyByAnswer),
    (event) => {
      event.preventDefault()
      if (event.key === keyByAnswer.approve) approveButton.current?.focus()
      else setOpenForm(event.key === keyByAnswer.reject ? 'reject' : 'ask')
    },
    canAnswer && openForm === null,
    shortcutLabels,
  )
  if (openForm === 'reject')
    return (
      <RequestTextForm
        label="Why it is rejected"
        submit="Reject request"
        variant="danger"
        busy={sending === 'approvals.reject'}
        onSend={(reason) => onAnswer({ operation: 'approvals.reject', input: { id, reason } })}
        onBack={() => setOpenForm(null)}
      />
    )
  if (openForm === 'ask')
    return (
      <RequestTextForm
        label="Question to the requester"
        submit="Send question"
        busy={sending === 'approvals.ask'}
        onSend={(question) => {
          setOpenForm(null)
          onAnswer({ operation: 'approvals.ask', input: { id, question } })
        }}
        onBack={() => setOpenForm(null)}
      />
    )
  return (
    <AnswerButtonRow
      {...props}
      approveButton={approveButton}
      disabledReason={disabledReason}
      isOnline={isOnline}
      onOpen={setOpenForm}
    />
  )
}

type FormButtonProps = Pick<ButtonProps, 'loading' | 'onClick'> & {
  label: string
  shortcutKey: string
  disabledReason: string | null
}

const FormButton = ({ label, shortcutKey, ...props }: FormButtonProps) => (
  <Button {...props}>
    {label}
    {props.disabledReason === null && <Kbd className="max-sm:hidden">{shortcutKey}</Kbd>}
  </Button>
)

type AnswerButtonRowProps = ApprovalAnswerButtonsProps & {
  approveButton: Ref<HTMLButtonElement>
  disabledReason: string | null
  isOnline: boolean
  onOpen: (form: 'reject' | 'ask') => void
}

/** The first of two approvals sends nothing, so it names no operation. */
function formatApproveLabel(request: ApprovalDetail): string {
  const { action, amount, approvers_needed, first_approval } = request
  const amountText = amount === null ? '' : ` ${moneyText(amount)}`
  if (approvers_needed === 2 && !first_approval) return `Approve${amountText}, first of two`
  const operationVerb = getServiceOperation(action.operation).verbPhrase.split(' ')[0]
  return `Approve and ${operationVerb}${amountText}`
}

function AnswerButtonRow({
  request,
  sending,
  onAnswer,
  next,
  approveButton,
  disabledReason,
  isOnline,
  onOpen,
}: AnswerButtonRowProps) {
  const { action, questions } = request
  const hasOpenQuestion = questions.some(({ answer }) => answer === null)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        ref={approveButton}
        variant="primary"
        loading={sending === 'approvals.approve'}
        disabledReason={disabledReason}
        onClick={() => onAnswer({ operation: 'approvals.approve', input: { id: action.id } })}
      >
        {formatApproveLabel(request)}
        {disabledReason === null && <Kbd className="max-sm:hidden">{keyByAnswer.approve}</Kbd>}
      </Button>
      {action.own ? (
        <Button
          loading={sending === 'approvals.withdraw'}
          disabledReason={isOnline ? null : offlineReason}
          onClick={() => onAnswer({ operation: 'approvals.withdraw', input: { id: action.id } })}
        >
          Withdraw request
        </Button>
      ) : (
        <>
          <FormButton
            label="Reject…"
            shortcutKey={keyByAnswer.reject}
            disabledReason={disabledReason}
            onClick={() => onOpen('reject')}
          />
          <FormButton
            label="Ask for information…"
            shortcutKey={keyByAnswer.ask}
            loading={sending === 'approvals.ask'}
            disabledReason={
              disabledReason ?? (hasOpenQuestion ? 'A question waits for its answer.' : null)
            }
            onClick={() => onOpen('ask')}
          />
        </>
      )}
      {next && <NextRequestButton next={next} isDecided={false} />}
      {disabledReason && <p className="w-full text-ink-3 text-xs">{disabledReason}</p>}
    </div>
  )
}
