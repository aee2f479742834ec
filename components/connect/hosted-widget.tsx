'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { bridgeSchemas } from '@/lib/operations/bridge.schema'
import { BridgeFrame } from './bridge-frame'
import { LinkFrame } from './link-frame'
import { LinkOptions } from './link-options'
import { type LinkValues, linkValues } from './link-values'
import type { LinkPlace } from './place'
import { useLinkForm } from './use-link-form'
import { nextWidgetState, type WidgetEvent, type WidgetState } from './widget-state'

type HostedWidgetProps = { place: LinkPlace; origin: string | undefined; onMade: (id: string) => void; onTypeHere: () => void }

/** Connecting on the provider's own page: first a token for this customer, then the page in a frame. Each start takes a token of its own. */
export function HostedWidget(props: HostedWidgetProps) {
  const [session, setSession] = useState<{ token: string; number: number } | null>(null)
  const [made, setMade] = useState(0)
  if (props.origin === undefined)
    return <p className="text-ink-2">No address of the bank-connection page is configured for this environment.</p>
  if (session) {
    return <Session key={session.number} {...props} origin={props.origin} token={session.token} onAgain={() => setSession(null)} />
  }
  const start = (token: string) => setSession({ token, number: made })
  return <StartForm key={made} {...props} onToken={start} onAnew={() => setMade(made + 1)} />
}

type StartFormProps = HostedWidgetProps & { onToken: (token: string) => void; onAnew: () => void }

function StartForm({ place, onToken, onAnew }: StartFormProps) {
  const write = useLinkForm<'bridge.initialize', LinkValues>({
    operation: 'bridge.initialize',
    place,
    values: linkValues(),
    schema: bridgeSchemas['bridge.initialize'].input,
    own: () => ({}),
    onDone: ({ data }) => onToken(data.bridge_token),
  })
  const { form, typed } = write
  return (
    <LinkFrame operation="bridge.initialize" place={place} write={write} label="Open the bank connection" onAnew={onAnew}>
      <p className="text-ink-2">
        The provider’s page opens here, in a frame. The customer, or you with the customer, chooses the bank and signs in there; nothing
        that is typed into it passes through Paydesk.
      </p>
      <LinkOptions form={form as unknown as UseFormReturn<LinkValues>} metadata={typed.metadata} withMetadata={false} />
    </LinkFrame>
  )
}

type SessionProps = HostedWidgetProps & { origin: string; token: string; onAgain: () => void }

function Session({ origin, token, onMade, onAgain, onTypeHere }: SessionProps) {
  const { environment } = useDesk()
  const client = useQueryClient()
  const [state, dispatch] = useReducer(nextWidgetState, { step: 'loading' })
  const hear = (event: WidgetEvent) => {
    dispatch(event)
    if (event.name !== 'linked') return
    // The page made it past our own writes, so what the desk holds of paykeys is stale.
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === environment && queryKey[2] === 'paykeys' })
    onMade(event.id)
  }
  const framed = state.step !== 'failed' && state.step !== 'closed' && !(state.step === 'linked' && state.left)
  return (
    <div className="grid gap-3">
      <p role="status" className="text-ink-2 text-sm">
        {statusText(state)}
      </p>
      {state.step === 'failed' && <Failed state={state} onAgain={onAgain} onTypeHere={onTypeHere} />}
      {framed && <BridgeFrame origin={origin} token={token} onEvent={hear} />}
      <div className="flex flex-wrap gap-2">
        {state.step !== 'failed' && (
          <Button variant="quiet" onClick={onAgain}>
            {framed ? 'Stop and start again' : 'Open the bank connection again'}
          </Button>
        )}
      </div>
    </div>
  )
}

function statusText(state: WidgetState): string {
  if (state.step === 'loading') return 'The provider’s page is loading…'
  if (state.step === 'open') return state.note ?? 'The provider’s page is open.'
  if (state.step === 'linked') return 'The page says that a bank account was linked; what the service says of it stands above.'
  return state.step === 'closed' ? 'The page was closed. No bank account was linked.' : ''
}

const failures = {
  timeout: {
    title: 'The provider’s page did not load',
    text: 'It gave no sign of life in 15 seconds. The network may hold it back, or the provider does not let this desk’s address frame it.',
  },
  refused: { title: 'The provider’s page refuses to open', text: null },
  expired: {
    title: 'The session of the page has ended',
    text: 'It lasts a few hours. Starting again makes a new one; nothing was linked.',
  },
  not_framed: {
    title: 'This page may not frame the provider’s page',
    text: 'It was opened out of another environment. Load it anew; nothing was sent yet.',
  },
} as const

type FailedProps = { state: Extract<WidgetState, { step: 'failed' }>; onAgain: () => void; onTypeHere: () => void }

/** Why there is no page, with the ways on. */
function Failed({ state, onAgain, onTypeHere }: FailedProps) {
  const { title, text } = failures[state.why]
  return (
    <Notice
      tone="held"
      role="alert"
      title={title}
      actions={
        <>
          {state.why === 'not_framed' ? (
            <Button onClick={() => location.reload()}>Load this page anew</Button>
          ) : (
            <Button onClick={onAgain}>Start again</Button>
          )}
          <Button variant="quiet" onClick={onTypeHere}>
            Type the numbers here instead
          </Button>
        </>
      }
    >
      {text && <p>{text}</p>}
      {state.text && <p>“{state.text}”</p>}
    </Notice>
  )
}
