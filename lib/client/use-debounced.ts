import { useEffect, useState } from 'react'

/**
 * Returns the value after it has not changed for `delay` milliseconds (debounce), so that a search
 * is not sent for each key.
 */
export function useDebounced<T>(value: T, delay: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return debounced
}
