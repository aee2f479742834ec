import { useEffect, useState } from 'react'

/** The last value there was, while there is none: what was found before stays until what is looked for now is found. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}

/** A value once it has not changed for so long (milliseconds): what is asked of the service follows the typing, not each key. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
