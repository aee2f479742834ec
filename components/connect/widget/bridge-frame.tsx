'use client'

import { useRef } from 'react'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { isUuid } from '@/lib/formats'

/** Messages of the hosted page that Paydesk uses. Everything else, including the full token, is dropped here. */
type WidgetMessage =
  | { name: 'alive' | 'close' | 'done' | 'retry' | 'manual' }
  | { name: 'linked'; id: string }
  | { name: 'error'; status: number | null; text: string | null }

const prefix = '@provider/js-bridge/'

const messagesByType: Readonly<Record<string, WidgetMessage>> = {
  initializing: { name: 'alive' },
  initialized: { name: 'alive' },
  mounted: { name: 'alive' },
  'on-close': { name: 'close' },
  'on-success-cta-clicked': { name: 'done' },
  'on-retry': { name: 'retry' },
  'on-manual-entry': { name: 'manual' },
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const readProperty = (value: unknown, name: string): unknown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)

/** Returns the id of a new paykey. Its state is read from the service, not from the message. */
function linked(payload: unknown): WidgetMessage | null {
  const id = readProperty(readProperty(payload, 'data'), 'id')
  return typeof id === 'string' && isUuid(id.toLowerCase()) ? { name: 'linked', id: id.toLowerCase() } : null
}

function failed(payload: unknown): WidgetMessage {
  const status = readProperty(payload, 'status')
  const text = readProperty(payload, 'message')
  return {
    name: 'error',
    status: typeof status === 'number' && Number.isInteger(status) ? status : null,
    text: typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, 300) : null,
  }
}

/**
 * Parses a window message of the hosted page (provider facts 1.2, "Widget"): `{type, payload}`, where `type` has the provider's prefix.
 * Returns null for any other message. The caller must check origin and source first, because a message's shape does not authenticate its
 * sender.
 */
export function readWidgetMessage(data: unknown): WidgetMessage | null {
  const type = readProperty(data, 'type')
  if (typeof type !== 'string' || !type.startsWith(prefix)) return null
  const name = type.slice(prefix.length)
  const payload = readProperty(data, 'payload')
  if (name === 'on-paykey' || name === 'on-success') return linked(payload)
  if (name === 'error') return failed(payload)
  return Object.hasOwn(messagesByType, name) ? (messagesByType[name] ?? null) : null
}

/** State of the framed page, as derived from its messages. `note` is a progress message; `linked` is the id of the new paykey. */
export type WidgetState =
  | { step: 'loading' }
  | { step: 'open'; note: string | null }
  | { step: 'linked'; linked: string; left: boolean }
  | { step: 'closed' }
  | { step: 'failed'; why: 'timeout' | 'refused' | 'expired' | 'not_framed'; text: string | null }

/** Events of the widget: a message, a timeout before the first message, or a frame blocked by this page's CSP. */
export type WidgetEvent = WidgetMessage | { name: 'timeout' } | { name: 'not_framed' }

const notes: Partial<Record<WidgetEvent['name'], string>> = {
  retry: 'Another attempt is running on the page.',
  manual: 'Bank details are being entered on the page.',
}

/** Status 401 means that the token expired: the notice then offers a new one. */
const refusal = ({ status, text }: Extract<WidgetMessage, { name: 'error' }>): WidgetState => ({
  step: 'failed',
  why: status === 401 ? 'expired' : 'refused',
  text,
})

/** An open page shows minor errors itself; only an expired token ends it. */
function onError(state: WidgetState, event: Extract<WidgetMessage, { name: 'error' }>): WidgetState {
  if (state.step === 'loading') return refusal(event)
  if (state.step !== 'open') return state
  return event.status === 401 ? refusal(event) : { step: 'open', note: `The page says: ${event.text ?? 'the connection failed'}.` }
}

function onEnd(state: WidgetState): WidgetState {
  if (state.step === 'linked') return { ...state, left: true }
  return state.step === 'failed' ? state : { step: 'closed' }
}

/** The first message opens the page; later progress messages become notes. */
function onSign(state: WidgetState, note: string | undefined): WidgetState {
  if (state.step === 'loading') return { step: 'open', note: null }
  return state.step === 'open' && note ? { step: 'open', note } : state
}

/** True if the page has closed itself: a later message must not show its empty frame again. */
const hasEnded = (state: WidgetState): boolean => state.step === 'closed' || (state.step === 'linked' && state.left)

/** Returns the next state. A linked paykey stays linked, whatever event follows. */
export function nextWidgetState(state: WidgetState, event: WidgetEvent): WidgetState {
  switch (event.name) {
    case 'linked':
      return { step: 'linked', linked: event.id, left: hasEnded(state) }
    case 'error':
      return onError(state, event)
    case 'close':
    case 'done':
      return onEnd(state)
    case 'timeout':
    case 'not_framed':
      return state.step === 'loading' ? { step: 'failed', why: event.name, text: null } : state
    default:
      return onSign(state, notes[event.name])
  }
}

/** Milliseconds until the page must have sent its first message. */
const timeoutMs = 15_000

type BridgeFrameProps = {
  /** Origin of the page. Messages from other origins are ignored. */
  origin: string
  token: string
  onEvent: (event: WidgetEvent) => void
}

/**
 * The provider's hosted page in a sandboxed frame. Allowed: scripts, its own origin (for calls to its server) and forms. Not allowed:
 * popups, navigating this page, a referrer. Accepts messages only from that origin and this frame.
 */
export function BridgeFrame({ origin, token, onEvent }: BridgeFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  useWindowEvent('message', ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source === null || source !== frame.current?.contentWindow) return
    const message = readWidgetMessage(data)
    if (message) onEvent(message)
  })
  useWindowEvent('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective === 'frame-src') onEvent({ name: 'not_framed' })
  })
  useTimeout(() => onEvent({ name: 'timeout' }), timeoutMs)
  const address = `${origin}/bridge?${new URLSearchParams({ token, origin: location.origin })}`
  return (
    <iframe
      ref={frame}
      src={address}
      title="Bank connection"
      sandbox="allow-scripts allow-same-origin allow-forms"
      referrerPolicy="no-referrer"
      className="h-144 w-full max-w-lg rounded border border-line bg-white"
    />
  )
}
