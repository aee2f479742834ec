'use client'

import { type ReactNode, Suspense, useEffect, useRef } from 'react'

/**
 * Stands in what the server drew until React has taken that part over and has run its effects: until then a click or a key there is lost. A page that has
 * no `template[data-hydrating]` left answers everywhere.
 */
export function HydratingMark() {
  const mark = useRef<HTMLTemplateElement>(null)
  useEffect(() => mark.current?.removeAttribute('data-hydrating'), [])
  return <template ref={mark} data-hydrating="" />
}

type BoundaryProps = { fallback?: ReactNode; children: ReactNode }

/** React's `Suspense`, and the mark of what is in it. */
export const Boundary = ({ fallback, children }: BoundaryProps) => (
  <Suspense fallback={fallback}>
    {children}
    <HydratingMark />
  </Suspense>
)
