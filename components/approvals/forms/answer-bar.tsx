'use client'

import { useEffect, useRef, useState } from 'react'
import { LiveAction } from '@/components/kits/action/live-action'
import type { Outcome } from '@/components/kits/action/outcome'
import { OutcomePanel } from '@/components/kits/action/outcome-panel'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { CtrlEnterForm } from '@/components/kits/form/action-form'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { focusIntoView } from '@/components/kits/layout/focus'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button, Kbd } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import type { CallError } from '@/lib/client/call-error'
import { useOperation } from '@/lib/client/query/writes'
import { moneyText } from '@/lib/money'
import { openActionStates } from '@/lib/operations/answer'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import { getServiceOperation } from '@/lib/operations/service-operations'

type ApprovalAnswerVerb = 'approve' | 'reject' | 'withdraw'

type ApprovalAnswerBarProps = { request: ApprovalDetail; onAnswered: () => void }

/**
 * Returns `send`, which approves, rejects or withdraws a request. After an approval, `outcome` is
 * the outcome of the approved action. `failed` is the error of an answer after which no action was
 * sent.
 */
function useApprovalAnswer({ action }: ApprovalDetail, onAnswered: () => void) {
  const { environment } = usePageContext()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isRejected, setIsRejected] = useState(false)
  const { mutateAsync, isPending, variables, error } =
    useOperation<`approvals.${ApprovalAnswerVerb}`>({
      environment,
      account: null,
    })
  const showAnswerFailure = (cause: CallError) => {
    const errorWithRequestId = { ...cause.toWire(), requestId: cause.requestId }
    if (cause.action)
      setOutcome({ operation: action.operation, action: cause.action, error: errorWithRequestId })
    if (cause.code === 'not_approved' || cause.code === 'changed') onAnswered()
  }
  const sendApprovalAnswer = (which: ApprovalAnswerVerb, reason = '') => {
    const approvalAnswerRequest =
      which === 'reject'
        ? ({ operation: 'approvals.reject', input: { id: action.id, reason } } as const)
        : ({ operation: `approvals.${which}`, input: { id: action.id } } as const)
    return mutateAsync(approvalAnswerRequest).then((answered) => {
      if (which === 'approve' && answered.action)
        setOutcome({ operation: action.operation, action: answered.action })
      setIsRejected(which === 'reject')
      onAnswered()
    }, showAnswerFailure)
  }
  return {
    outcome,
    isRejected,
    failed: error?.action ? null : error,
    sending: isPending ? variables.operation : null,
    send: sendApprovalAnswer,
  }
}

export function ApprovalAnswerBar({ request, onAnswered }: ApprovalAnswerBarProps) {
  const { action } = request
  const { outcome, isRejected, failed, sending, send } = useApprovalAnswer(request, onAnswered)
  const unsettledAction =
    outcome === null && openActionStates.includes(action.state) ? action : null
  const isAwaitingAnswer = outcome === null && !isRejected && action.state === 'awaiting_approval'
  const hasNothingToShow = [unsettledAction, outcome, failed].every((each) => each === null)
  if (!isAwaitingAnswer && !isRejected && hasNothingToShow) return null
  return (
    <section
      aria-label="Answer"
      className="sticky bottom-0 z-10 grid max-h-[70dvh] grid-cols-1 gap-3 overflow-y-auto border-line border-t bg-surface px-4 py-2.5 lg:px-6"
    >
      {failed && (
        <ErrorNotice
          urgent
          what="The request was not answered"
          error={failed.toWire()}
          requestId={failed.requestId}
        />
      )}
      {unsettledAction && (
        <LiveAction key={unsettledAction.id} action={unsettledAction} onSettled={onAnswered} />
      )}
      {outcome && <OutcomePanel outcome={outcome} />}
      {isRejected && (
        <p ref={focusIntoView} tabIndex={-1} role="status" className="font-medium">
          Request rejected. Nothing was sent.
        </p>
      )}
      {isAwaitingAnswer && (
        <ApprovalAnswerButtons
          request={request}
          sending={sending}
          onAnswer={(which, reason) => void send(which, reason)}
        />
      )}
    </section>
  )
}

type ApprovalAnswerButtonsProps = {
  request: ApprovalDetail
  sending: `approvals.${ApprovalAnswerVerb}` | null
  onAnswer: (which: ApprovalAnswerVerb, reason?: string) => void
}

function ApprovalAnswerButtons({ request, sending, onAnswer }: ApprovalAnswerButtonsProps) {
  const { action, amount, disabled_reason } = request
  const [isRejecting, setIsRejecting] = useState(false)
  const isOnline = useOnline()
  const disabledReason = isOnline ? disabled_reason : offlineReason
  const operationVerb = getServiceOperation(action.operation).verbPhrase.split(' ')[0]
  if (isRejecting)
    return (
      <RejectionForm
        busy={sending === 'approvals.reject'}
        onReject={(reason) => onAnswer('reject', reason)}
        onBack={() => setIsRejecting(false)}
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="primary"
        loading={sending === 'approvals.approve'}
        disabledReason={disabledReason}
        onClick={() => onAnswer('approve')}
      >
        Approve and {operationVerb}
        {amount === null ? '' : ` ${moneyText(amount)}`}
      </Button>
      {action.own ? (
        <Button
          loading={sending === 'approvals.withdraw'}
          disabledReason={isOnline ? null : offlineReason}
          onClick={() => onAnswer('withdraw')}
        >
          Withdraw request
        </Button>
      ) : (
        <Button disabledReason={disabledReason} onClick={() => setIsRejecting(true)}>
          Reject…
        </Button>
      )}
      {disabledReason && <p className="w-full text-ink-3 text-xs">{disabledReason}</p>}
    </div>
  )
}

type RejectionFormProps = { busy: boolean; onReject: (reason: string) => void; onBack: () => void }

const minReasonLength = 10

function RejectionForm({ busy, onReject, onBack }: RejectionFormProps) {
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  const reasonInput = useRef<HTMLTextAreaElement>(null)
  useEffect(() => focusIntoView(reasonInput.current), [])
  const sendRejection = () => {
    if (reason.trim().length < minReasonLength) {
      setFault(`Explain in at least ${minReasonLength} characters.`)
      reasonInput.current?.focus()
    } else if (!busy) onReject(reason.trim())
  }
  return (
    <CtrlEnterForm onSend={sendRejection} className="grid gap-2">
      <Field
        label="Why it is rejected"
        hint="10 to 300 characters. No names, no account numbers."
        error={fault}
      >
        {(control) => (
          <Textarea
            {...control}
            ref={reasonInput}
            rows={2}
            maxLength={300}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="danger" loading={busy} onClick={sendRejection}>
          Reject request
        </Button>
        <Button onClick={onBack}>Back</Button>
        <span className="text-ink-3 text-xs max-sm:hidden">
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> rejects
        </span>
      </div>
    </CtrlEnterForm>
  )
}
