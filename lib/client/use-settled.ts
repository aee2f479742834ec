import { useEffect, useState } from 'react'

/** Debounces a value by `after` milliseconds, so that a search is sent when the typing pauses and not for each key. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
