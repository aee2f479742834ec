'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { readWidgetMessage } from './widget-message'
import type { WidgetEvent } from './widget-state'

/** How long the page may take to show a sign of life, in milliseconds. */
const patience = 15_000

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
    const timer = setTimeout(() => tell({ name: 'timeout' }), patience)
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
