'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { isUuid } from '@/lib/formats'

/** What the hosted page says, as far as it is listened to. The rest of a message, the full token among it, is dropped right here. */
type WidgetMessage =
  | { name: 'alive' | 'close' | 'done' | 'retry' | 'manual' }
  | { name: 'linked'; id: string }
  | { name: 'error'; status: number | null; text: string | null }

const prefix = '@provider/js-bridge/'

const plain: Readonly<Record<string, WidgetMessage>> = {
  initializing: { name: 'alive' },
  initialized: { name: 'alive' },
  mounted: { name: 'alive' },
  'on-close': { name: 'close' },
  'on-success-cta-clicked': { name: 'done' },
  'on-retry': { name: 'retry' },
  'on-manual-entry': { name: 'manual' },
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (value: unknown, name: string): unknown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)

/** A new paykey by its id; its state is not taken from here, it is read from the service. */
function linked(payload: unknown): WidgetMessage | null {
  const id = own(own(payload, 'data'), 'id')
  return typeof id === 'string' && isUuid(id.toLowerCase()) ? { name: 'linked', id: id.toLowerCase() } : null
}

function failed(payload: unknown): WidgetMessage {
  const status = own(payload, 'status')
  const text = own(payload, 'message')
  return {
    name: 'error',
    status: typeof status === 'number' && Number.isInteger(status) ? status : null,
    text: typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, 300) : null,
  }
}

/**
 * Reads a window message of the hosted page (provider facts 1.2, "Widget"): `{type, payload}`, the type under the provider's prefix. Null for
 * everything else; whoever calls has compared origin and window first, because the shape of a message proves nothing about its sender.
 */
export function readWidgetMessage(data: unknown): WidgetMessage | null {
  const type = own(data, 'type')
  if (typeof type !== 'string' || !type.startsWith(prefix)) return null
  const name = type.slice(prefix.length)
  const payload = own(data, 'payload')
  if (name === 'on-paykey' || name === 'on-success') return linked(payload)
  if (name === 'error') return failed(payload)
  return Object.hasOwn(plain, name) ? (plain[name] ?? null) : null
}

/** The state of the framed page, as far as its messages tell. `note` is a word on the way; `linked` is the id of the paykey it made. */
export type WidgetState =
  | { step: 'loading' }
  | { step: 'open'; note: string | null }
  | { step: 'linked'; linked: string; left: boolean }
  | { step: 'closed' }
  | { step: 'failed'; why: 'timeout' | 'refused' | 'expired' | 'not_framed'; text: string | null }

/** What happens to it: a message that was heard, no sign of life in time, or a policy of this page that keeps the frame out. */
export type WidgetEvent = WidgetMessage | { name: 'timeout' } | { name: 'not_framed' }

const notes: Partial<Record<WidgetEvent['name'], string>> = {
  retry: 'Another attempt is running on the page.',
  manual: 'Bank details are being entered on the page.',
}

/** A token that is not valid any more is replaced by a new one, which is worth saying. */
const refusal = ({ status, text }: Extract<WidgetMessage, { name: 'error' }>): WidgetState => ({
  step: 'failed',
  why: status === 401 ? 'expired' : 'refused',
  text,
})

/** A page that is already open tells its small troubles itself, in place; only an ended token ends it. */
function onError(state: WidgetState, event: Extract<WidgetMessage, { name: 'error' }>): WidgetState {
  if (state.step === 'loading') return refusal(event)
  if (state.step !== 'open') return state
  return event.status === 401 ? refusal(event) : { step: 'open', note: `The page says: ${event.text ?? 'the connection failed'}.` }
}

function onEnd(state: WidgetState): WidgetState {
  if (state.step === 'linked') return { ...state, left: true }
  return state.step === 'failed' ? state : { step: 'closed' }
}

/** A sign of life opens the page; a word on the way is passed on. */
function onSign(state: WidgetState, note: string | undefined): WidgetState {
  if (state.step === 'loading') return { step: 'open', note: null }
  return state.step === 'open' && note ? { step: 'open', note } : state
}

/** The next state. A linked paykey is never forgotten: whatever is said afterwards, it is there. */
export function nextWidgetState(state: WidgetState, event: WidgetEvent): WidgetState {
  switch (event.name) {
    case 'linked':
      return { step: 'linked', linked: event.id, left: false }
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

/** How long the page may take to show a sign of life, in milliseconds. */
const timeoutMs = 15_000

type BridgeFrameProps = {
  /** The one origin the page comes from and messages are taken from. */
  origin: string
  token: string
  onEvent: (event: WidgetEvent) => void
}

/**
 * The provider's hosted page in a frame. It is cut off as far as it works at all: scripts, its own origin (it talks to its own server) and forms,
 * no windows, no navigation of this page, no referrer. A message counts only when it comes from that origin and from this very frame.
 */
export function BridgeFrame({ origin, token, onEvent }: BridgeFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const tell = useEffectEvent(onEvent)
  useEffect(() => {
    const hear = ({ origin: from, source, data }: MessageEvent<unknown>) => {
      if (from !== origin || source === null || source !== frame.current?.contentWindow) return
      const message = readWidgetMessage(data)
      if (message) tell(message)
    }
    const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src') tell({ name: 'not_framed' })
    }
    addEventListener('message', hear)
    document.addEventListener('securitypolicyviolation', refused)
    const timer = setTimeout(() => tell({ name: 'timeout' }), timeoutMs)
    return () => {
      removeEventListener('message', hear)
      document.removeEventListener('securitypolicyviolation', refused)
      clearTimeout(timer)
    }
  }, [origin])
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
