'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import {
  ConnectOptionFields,
  type ConnectTarget,
  ConnectTargetSentence,
  type ConnectValues,
  createConnectValues,
  useConnectForm,
} from '@/components/connect/link-form'
import { ActionForm } from '@/components/kits/form/action-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { createStaleReadsFilter, invalidateReads } from '@/lib/client/query/client'
import { bridgeSchemas } from '@/lib/operations/paykeys.schema'
import { BridgeFrame, reduceWidgetEvent, type WidgetEvent, type WidgetState } from './bridge-frame'

type HostedWidgetProps = {
  place: ConnectTarget
  origin: string | undefined
  onMade: (id: string) => void
  onTypeHere: () => void
}

/** Each start first requests a new token for the customer. */
export function HostedWidget(props: HostedWidgetProps) {
  const [token, setToken] = useState<string | null>(null)
  if (props.origin === undefined)
    return (
      <p className="text-ink-2">
        The address of the bank-connection page is not configured for this environment.
      </p>
    )
  if (token !== null)
    return (
      <WidgetSession
        {...props}
        origin={props.origin}
        token={token}
        onAgain={() => setToken(null)}
      />
    )
  return <StartWidgetForm place={props.place} onToken={setToken} />
}

function StartWidgetForm({
  place,
  onToken,
}: {
  place: ConnectTarget
  onToken: (token: string) => void
}) {
  const { form, typed, frame } = useConnectForm<'bridge.initialize', ConnectValues>({
    operation: 'bridge.initialize',
    place,
    values: createConnectValues(),
    schema: bridgeSchemas['bridge.initialize'].input,
    own: () => ({}),
    onDone: ({ data }) => onToken(data.bridge_token),
  })
  return (
    <ActionForm {...frame} layout="inline" send="Open the bank connection">
      <ConnectTargetSentence place={place} />
      <p className="text-ink-2">
        The provider’s page opens here in a frame. The customer (or you with them) picks the bank
        and signs in there. Nothing entered on that page passes through Paydesk.
      </p>
      <ConnectOptionFields
        form={form as unknown as UseFormReturn<ConnectValues>}
        metadata={typed.metadata}
        withMetadata={false}
      />
    </ActionForm>
  )
}

type WidgetSessionProps = HostedWidgetProps & { origin: string; token: string; onAgain: () => void }

function WidgetSession({ origin, token, onMade, onAgain, onTypeHere }: WidgetSessionProps) {
  const { environment } = usePageContext()
  const client = useQueryClient()
  const [state, dispatch] = useReducer(reduceWidgetEvent, { step: 'loading' })
  const handleEvent = (event: WidgetEvent) => {
    dispatch(event)
    if (event.name !== 'linked') return
    // The hosted page creates the paykey directly, so Paydesk's cached paykeys are stale.
    void invalidateReads(client, createStaleReadsFilter(environment, 'bridge.bank_account'))
    onMade(event.id)
  }
  const isFrameShown =
    state.step !== 'failed' && state.step !== 'closed' && !(state.step === 'linked' && state.left)
  return (
    <div className="grid gap-3">
      <p role="status" className="text-ink-2 text-sm">
        {getStatusText(state)}
      </p>
      {state.step === 'failed' && (
        <WidgetFailure state={state} onAgain={onAgain} onTypeHere={onTypeHere} />
      )}
      {isFrameShown && <BridgeFrame origin={origin} token={token} onEvent={handleEvent} />}
      <div className="flex flex-wrap gap-2">
        {state.step !== 'failed' && (
          <Button variant="quiet" onClick={onAgain}>
            {isFrameShown ? 'Stop and start again' : 'Open the bank connection again'}
          </Button>
        )}
      </div>
    </div>
  )
}

function getStatusText(state: WidgetState): string {
  if (state.step === 'loading') return 'The provider’s page is loading…'
  if (state.step === 'open') return state.note ?? 'The provider’s page is open.'
  if (state.step === 'linked')
    return 'The page reports a linked bank account. The service’s answer is shown above.'
  return state.step === 'closed' ? 'The page was closed. No bank account was linked.' : ''
}

const failureTexts = {
  timeout: {
    title: 'The provider’s page did not load',
    text: 'The page did not respond within 15 seconds. The network may block the page, or the provider does not allow this address to embed the page.',
  },
  refused: { title: 'The provider’s page cannot be opened', text: null },
  expired: {
    title: 'The session of the page has ended',
    text: 'A session lasts a few hours. Start again to create a new session; nothing was linked.',
  },
  not_framed: {
    title: 'This page is not allowed to embed the provider’s page',
    text: 'This page was opened from another environment. Nothing was sent. Reload the page.',
  },
} as const

type WidgetFailureProps = {
  state: Extract<WidgetState, { step: 'failed' }>
  onAgain: () => void
  onTypeHere: () => void
}

function WidgetFailure({ state, onAgain, onTypeHere }: WidgetFailureProps) {
  const { title, text } = failureTexts[state.why]
  return (
    <Notice
      tone="held"
      role="alert"
      title={title}
      actions={
        <>
          {state.why === 'not_framed' ? (
            <Button onClick={() => location.reload()}>Reload this page</Button>
          ) : (
            <Button onClick={onAgain}>Start again</Button>
          )}
          <Button variant="quiet" onClick={onTypeHere}>
            Enter bank details instead
          </Button>
        </>
      }
    >
      {text && <p>{text}</p>}
      {state.text && <p>“{state.text}”</p>}
    </Notice>
  )
}
