'use client'

import { lazy, Suspense, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { accountName } from '@/lib/client/desk'
import type { Resource } from '@/lib/operations/define'

const FindAccount = lazy(() => import('./find-account').then((module) => ({ default: module.FindAccount })))

const finding = <span className="text-ink-3">finding…</span>

/** Whose it is. The service does not say: it is learnt, and where it is not known yet a person can have it looked for. */
export function AccountCell({ resource, id, known }: { resource: Resource; id: string; known: string | null }) {
  const desk = useDesk()
  const [asked, setAsked] = useState(false)
  if (known !== null) return <bdi className="text-ink-2">{accountName(desk, known)}</bdi>
  if (asked) {
    return (
      <Suspense fallback={finding}>
        <FindAccount resource={resource} id={id} />
      </Suspense>
    )
  }
  return (
    <span className="text-ink-3">
      unknown{' '}
      <button type="button" className="relative z-1 rounded-sm px-1 text-accent hover:underline" onClick={() => setAsked(true)}>
        find
        <span className="sr-only"> the account of this row</span>
      </button>
    </span>
  )
}
