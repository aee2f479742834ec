'use client'

import { useRef } from 'react'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { isUuid } from '@/lib/formats'

/**
 * The messages of the provider's hosted page, reduced to what Paydesk uses. All other data,
 * including the secret token of the paykey, is dropped when a message is parsed.
 */
type WidgetMessage =
  | { name: 'alive' | 'close' | 'done' | 'retry' | 'manual' }
  | { name: 'linked'; id: string }
  | { name: 'error'; status: number | null; text: string | null }

const messagePrefix = '@provider/js-bridge/'

const messagesByType: Readonly<Record<string, WidgetMessage>> = {
  initializing: { name: 'alive' },
  initialized: { name: 'alive' },
  mounted: { name: 'alive' },
  'on-close': { name: 'close' },
  'on-success-cta-clicked': { name: 'done' },
  'on-retry': { name: 'retry' },
  'on-manual-entry': { name: 'manual' },
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readProperty = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The paykey's status is not taken from the message: it is read from the service. */
function parseLinkedMessage(payload: unknown): WidgetMessage | null {
  const id = readProperty(readProperty(payload, 'data'), 'id')
  return typeof id === 'string' && isUuid(id.toLowerCase())
    ? { name: 'linked', id: id.toLowerCase() }
    : null
}

function parseErrorMessage(payload: unknown): WidgetMessage {
  const status = readProperty(payload, 'status')
  const errorMessage = readProperty(payload, 'message')
  return {
    name: 'error',
    status: typeof status === 'number' && Number.isInteger(status) ? status : null,
    text:
      typeof errorMessage === 'string' && errorMessage.trim() !== ''
        ? errorMessage.trim().slice(0, 300)
        : null,
  }
}

/**
 * Parses a message of the hosted page (provider facts 1.2, "Widget"); null for any other. Check
 * origin and source first, because the shape of a message does not authenticate its sender.
 */
export function readWidgetMessage(data: unknown): WidgetMessage | null {
  const type = readProperty(data, 'type')
  if (typeof type !== 'string' || !type.startsWith(messagePrefix)) return null
  const messageName = type.slice(messagePrefix.length)
  const payload = readProperty(data, 'payload')
  if (messageName === 'on-paykey' || messageName === 'on-success')
    return parseLinkedMessage(payload)
  if (messageName === 'error') return parseErrorMessage(payload)
  return Object.hasOwn(messagesByType, messageName) ? (messagesByType[messageName] ?? null) : null
}

/** `note` is a text about progress or an error. `left`: the page has closed itself. */
export type WidgetState =
  | { step: 'loading' }
  | { step: 'open'; note: string | null }
  | { step: 'linked'; linked: string; left: boolean }
  | { step: 'closed' }
  | { step: 'failed'; why: 'timeout' | 'refused' | 'expired' | 'not_framed'; text: string | null }

/** `timeout`: no first message in time. `not_framed`: the CSP blocked the frame. */
export type WidgetEvent = WidgetMessage | { name: 'timeout' } | { name: 'not_framed' }

const progressNotes: Partial<Record<WidgetEvent['name'], string>> = {
  retry: 'Another attempt is running on the page.',
  manual: 'Bank details are being entered on the page.',
}

/** Status 401 means that the token expired; the user can then start with a new one. */
const toFailedState = ({
  status,
  text,
}: Extract<WidgetMessage, { name: 'error' }>): WidgetState => ({
  step: 'failed',
  why: status === 401 ? 'expired' : 'refused',
  text,
})

/** An open page shows errors itself, so only an expired token (status 401) ends it. */
function toStateAfterError(
  state: WidgetState,
  event: Extract<WidgetMessage, { name: 'error' }>,
): WidgetState {
  if (state.step === 'loading') return toFailedState(event)
  if (state.step !== 'open') return state
  return event.status === 401
    ? toFailedState(event)
    : { step: 'open', note: `The page says: ${event.text ?? 'the connection failed'}.` }
}

function toStateAfterClose(state: WidgetState): WidgetState {
  if (state.step === 'linked') return { ...state, left: true }
  return state.step === 'failed' ? state : { step: 'closed' }
}

function toStateAfterProgress(state: WidgetState, note: string | undefined): WidgetState {
  if (state.step === 'loading') return { step: 'open', note: null }
  return state.step === 'open' && note ? { step: 'open', note } : state
}

/** The frame of a closed page is empty, so a later message must not show it again. */
const isWidgetPageClosed = (state: WidgetState): boolean =>
  state.step === 'closed' || (state.step === 'linked' && state.left)

/** A linked paykey stays linked after any other event. */
export function reduceWidgetEvent(state: WidgetState, event: WidgetEvent): WidgetState {
  switch (event.name) {
    case 'linked':
      return { step: 'linked', linked: event.id, left: isWidgetPageClosed(state) }
    case 'error':
      return toStateAfterError(state, event)
    case 'close':
    case 'done':
      return toStateAfterClose(state)
    case 'timeout':
    case 'not_framed':
      return state.step === 'loading' ? { step: 'failed', why: event.name, text: null } : state
    default:
      return toStateAfterProgress(state, progressNotes[event.name])
  }
}

const firstMessageTimeoutMs = 15_000

type BridgeFrameProps = {
  /** Messages from other origins are ignored. */
  origin: string
  token: string
  onEvent: (event: WidgetEvent) => void
}

/**
 * The frame may run scripts, submit forms, and use the provider's origin, which it needs to call
 * the provider's server. It cannot open popups or navigate this page, and sends no referrer. Only
 * messages from this frame and this origin are accepted.
 */
export function BridgeFrame({ origin, token, onEvent }: BridgeFrameProps) {
  const frameRef = useRef<HTMLIFrameElement>(null)
  useWindowEvent('message', ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source === null || source !== frameRef.current?.contentWindow) return
    const message = readWidgetMessage(data)
    if (message) onEvent(message)
  })
  useWindowEvent('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'frame-src') onEvent({ name: 'not_framed' })
  })
  useTimeout(() => onEvent({ name: 'timeout' }), firstMessageTimeoutMs)
  const frameUrl = `${origin}/bridge?${new URLSearchParams({ token, origin: location.origin })}`
  return (
    <iframe
      ref={frameRef}
      src={frameUrl}
      title="Bank connection"
      sandbox="allow-scripts allow-same-origin allow-forms"
      referrerPolicy="no-referrer"
      className="h-144 w-full max-w-lg rounded border border-line bg-white"
    />
  )
}
