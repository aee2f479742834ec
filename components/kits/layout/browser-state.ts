'use client'

import { useSyncExternalStore } from 'react'
import { parseTime } from '@/lib/dates'
import { usePreferences } from './preferences-context'

const updateIntervalMs = 20_000
const timeListeners = new Set<() => void>()
let updateTimer: ReturnType<typeof setInterval> | undefined
let currentTime = 0

function subscribeToTime(listener: () => void) {
  timeListeners.add(listener)
  updateTimer ??= setInterval(updateTime, updateIntervalMs)
  return () => {
    timeListeners.delete(listener)
    if (timeListeners.size > 0) return
    clearInterval(updateTimer)
    updateTimer = undefined
  }
}

function updateTime() {
  currentTime = Date.now()
  for (const listener of timeListeners) listener()
}

function readCurrentTime() {
  // Changes at most every 20 s, so that all components of one render read the same time.
  if (Date.now() - currentTime > updateIntervalMs) currentTime = Date.now()
  return currentTime
}

/** Returns epoch milliseconds, updated every 20 s. During hydration it is the server's time. */
export function useNow(): number {
  const { renderedAt } = usePreferences()
  return useSyncExternalStore(subscribeToTime, readCurrentTime, () => parseTime(renderedAt) ?? 0)
}

const subscribeToNothing = () => () => {}

/** False on the server and in the first render, which must match the server's HTML. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
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

/** Writes are disabled while offline: pass `offlineReason` to the button. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  )

export const offlineReason = 'You are offline. Nothing can be sent until the connection is back.'
