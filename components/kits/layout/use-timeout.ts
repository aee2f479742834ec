import { useEffect, useEffectEvent } from 'react'

/** Calls `onEnd` after `milliseconds`. A changed value restarts the timer; null stops it. */
export function useTimeout(onEnd: () => void, milliseconds: number | null): void {
  const reportEnd = useEffectEvent(onEnd)
  useEffect(() => {
    if (milliseconds === null) return
    const timer = setTimeout(() => reportEnd(), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
}
