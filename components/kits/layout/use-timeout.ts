import { useEffect, useEffectEvent } from 'react'

/** Calls `onEnd` after `milliseconds`. Another number restarts the timer, and null stops it. */
export function useTimeout(onEnd: () => void, milliseconds: number | null): void {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (milliseconds === null) return
    const timer = setTimeout(() => end(), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
}
