import { useEffect, useState } from 'react'

/** Returns the value after it has not changed for `after` milliseconds (debounce), so that a search is not sent for each key. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
