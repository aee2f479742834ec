'use client'

import { useSyncExternalStore } from 'react'
import { timeOf } from '@/lib/dates'
import { usePreferences } from './preferences-context'

const step = 20_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = 0

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(tick, step)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function read() {
  // Moves in steps, so that one render never sees two times.
  if (Date.now() - now > step) now = Date.now()
  return now
}

/** Milliseconds since the epoch, moving every 20 s; while hydrating it is the server's clock, so that both write the same words. */
export function useNow(): number {
  const { renderedAt } = usePreferences()
  return useSyncExternalStore(subscribe, read, () => timeOf(renderedAt) ?? 0)
}

const never = () => () => {}

/** Whether scripts run the page by now: false on the server and in the first drawing, which has to be what the server drew. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

function subscribeToConnection(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Whether the browser has a connection at all. While it has none, writes stay closed: pass the reason below to the button. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  )

export const offlineReason = 'You are offline. Nothing can be sent until the connection is back.'
