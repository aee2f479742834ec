'use client'

import { useEffect, useState } from 'react'

/** A value once it has stood still for so long (milliseconds): what is asked of the service follows the typing, not each key. */
export function useSettled<T>(value: T, after: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), after)
    return () => clearTimeout(timer)
  }, [value, after])
  return settled
}
