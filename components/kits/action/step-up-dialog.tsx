'use client'

import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser'
import { type FormEvent, Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { Dialog } from '@/components/ui/overlay'
import type { CallError } from '@/lib/client/call-error'
import { useOperation } from '@/lib/client/query/writes'
import type { StepUpPrompt, StepUpResult } from '@/lib/client/step-up/prompt'
import type { StepUpMethod, StepUpSubject } from '@/lib/errors'
import { capitalizeFirst } from '@/lib/formats'
import type { Environment } from '@/lib/operations/define'
import type { Input as OperationInput } from '@/lib/operations/registry'

type StepUpProof = Omit<OperationInput<'step_ups.prove'>, 'id'>

type TypedProofField = {
  label: string
  hint: string
  button: string
  autoComplete: string
  type: 'text' | 'password'
  inputMode?: 'numeric'
}

const typedProofFieldByMethod: Readonly<Record<Exclude<StepUpMethod, 'passkey'>, TypedProofField>> =
  {
    totp: {
      label: 'Code of your authenticator app',
      hint: 'Six digits. Each code works once.',
      button: 'Use an authenticator code',
      autoComplete: 'one-time-code',
      type: 'text',
      inputMode: 'numeric',
    },
    recovery: {
      label: 'Recovery code',
      hint: 'Each of your recovery codes works once.',
      button: 'Use a recovery code',
      autoComplete: 'off',
      type: 'text',
    },
    password: {
      label: 'Your password',
      hint: 'You have no second factor. In the sandbox your password is enough.',
      button: 'Use your password',
      autoComplete: 'current-password',
      type: 'password',
    },
  }

const passkeyButtonLabel = 'Use a passkey'

/** `fault` is the error text of a refused proof, or null. */
function useStepUpProof(
  { asked, environment }: StepUpPrompt,
  onAnswer: (answered: StepUpResult) => void,
) {
  const [fault, setFault] = useState<string | null>(null)
  const { mutateAsync, isPending, isSuccess } = useOperation<'step_ups.prove'>({
    environment: environment as Environment,
    account: null,
  })
  const sendProof = (proof: StepUpProof): Promise<void> => {
    setFault(null)
    return mutateAsync({
      operation: 'step_ups.prove',
      input: { id: asked.challenge, ...proof },
    }).then(
      () => onAnswer({ proof: asked.challenge }),
      (error: CallError) =>
        error.code === 'changed' ? onAnswer('again') : setFault(error.message),
    )
  }
  return { fault, setFault, pending: isPending || isSuccess, prove: sendProof }
}

type StepUpMethodProps = ReturnType<typeof useStepUpProof> & {
  question: StepUpPrompt
  /** Renders the row of buttons at the end of the dialog, with the button that confirms. */
  footer: (confirmButton: ReactNode) => ReactNode
}

/** Starts the passkey prompt on mount. The browser shows its own dialog. */
function PasskeyPrompt({ question, pending, fault, prove, setFault, footer }: StepUpMethodProps) {
  const [isAsking, setAsking] = useState(false)
  const hasBegun = useRef(false)
  const promptForPasskey = async () => {
    setAsking(true)
    setFault(null)
    try {
      const passkeyAssertion = await startAuthentication({
        optionsJSON: question.asked.webauthn as never,
      })
      await prove({
        method: 'passkey',
        passkey: { ...passkeyAssertion, response: { ...passkeyAssertion.response } },
      })
    } catch {
      setFault('No passkey confirmed this. Try again, or choose another way.')
    } finally {
      setAsking(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useEffect(() => {
    if (!hasBegun.current) void promptForPasskey()
    hasBegun.current = true
    return () => WebAuthnAbortService.cancelCeremony()
  }, [])
  const isBusy = isAsking || pending
  return (
    <>
      <p role="status" className="text-ink-2 text-sm">
        {isBusy
          ? 'Waiting for your passkey. Follow the window of your browser.'
          : 'Confirm with a passkey.'}
      </p>
      {fault && (
        <p role="alert" className="font-medium text-bad text-xs">
          {fault}
        </p>
      )}
      {footer(
        <Button variant="primary" loading={isBusy} onClick={() => void promptForPasskey()}>
          {isBusy ? 'Waiting…' : 'Try the passkey again'}
        </Button>,
      )}
    </>
  )
}

function TypedProofForm({
  method,
  fault,
  pending,
  prove,
  footer,
}: StepUpMethodProps & { method: Exclude<StepUpMethod, 'passkey'> }) {
  const { label, hint, button: _, ...input } = typedProofFieldByMethod[method]
  const [text, setText] = useState('')
  const proofInputRef = useRef<HTMLInputElement>(null)
  const sendTypedProof = async (event: FormEvent) => {
    event.preventDefault()
    if (text === '' || pending) return
    await prove(method === 'password' ? { method, password: text } : { method, code: text })
    // If the field still exists, the proof was refused. Selected text is replaced by typing.
    proofInputRef.current?.select()
  }
  return (
    <form noValidate onSubmit={(event) => void sendTypedProof(event)} className="grid gap-3">
      <Field label={label} hint={hint} error={fault}>
        {(control) => (
          <Input
            {...control}
            {...input}
            ref={proofInputRef}
            autoFocus
            value={text}
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {footer(
        <Button type="submit" variant="primary" loading={pending}>
          {pending ? 'Confirming…' : 'Confirm'}
        </Button>,
      )}
    </form>
  )
}

function RequestToConfirmText({
  subject: { person, operation, amount, payee },
}: {
  subject: StepUpSubject
}) {
  const requestToConfirmRows = [
    ['You', person],
    ['To do', capitalizeFirst(operation)],
    ['Amount', amount],
    ['Payee', payee],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {requestToConfirmRows.map(
        ([term, text]) =>
          text && (
            <Fragment key={term}>
              <dt className="text-ink-3">{term}</dt>
              <dd className="min-w-0 font-medium tabular-nums">
                <ExternalText>{text}</ExternalText>
              </dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

/** Closing the dialog sends nothing. */
export function StepUpDialog({
  question,
  onAnswer,
}: {
  question: StepUpPrompt
  onAnswer: (answered: StepUpResult) => void
}) {
  const { methods } = question.asked
  const [method, setMethod] = useState<StepUpMethod>(methods[0] ?? 'password')
  const proofState = useStepUpProof(question, onAnswer)
  const otherMethods = methods.filter((other) => other !== method)
  const chooseMethod = (chosenMethod: StepUpMethod) => {
    proofState.setFault(null)
    setMethod(chosenMethod)
  }
  const renderFooter = (confirmButton: ReactNode) => (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      {otherMethods.map((other) => (
        <Button key={other} size="small" onClick={() => chooseMethod(other)}>
          {other === 'passkey' ? passkeyButtonLabel : typedProofFieldByMethod[other].button}
        </Button>
      ))}
      <span className="ml-auto flex gap-2">
        <Button variant="quiet" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        {confirmButton}
      </span>
    </div>
  )
  return (
    <Dialog
      aria-labelledby="step-up-title"
      onClose={() => onAnswer(null)}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-1rem))] overflow-y-auto"
    >
      <div className="grid gap-4 p-5">
        <div className="grid gap-1">
          <h2 id="step-up-title" className="font-semibold text-lg">
            Verify it’s you
          </h2>
          <p className="text-ink-2 text-sm">{question.detail}</p>
        </div>
        <RequestToConfirmText subject={question.asked.subject} />
        {question.isAgain && (
          <Notice tone="held" title="The last confirmation expired">
            <p>Nothing was sent. Confirm once more.</p>
          </Notice>
        )}
        {method === 'passkey' ? (
          <PasskeyPrompt question={question} footer={renderFooter} {...proofState} />
        ) : (
          <TypedProofForm
            key={method}
            method={method}
            question={question}
            footer={renderFooter}
            {...proofState}
          />
        )}
      </div>
    </Dialog>
  )
}
