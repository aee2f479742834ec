'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, use, useState } from 'react'
import { ListSkeleton, RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'

/** Returns the noun for the skeleton of a page below a list: "form", "limits", "request", or the singular of the list's noun. */
function nounOf(many: string, part: string): string {
  if (/^(new|simulate|edit)$/.test(part)) return 'form'
  if (part === 'limits') return part
  return many === 'deletions' ? 'request' : many.slice(0, -1)
}

/**
 * The skeleton of a page, derived from its URL: a list with its title, or a record. It is a client component, so that no page contains it.
 */
export function PageSkeleton() {
  const [, , resource = '', ...below] = usePathname().split('/')
  const many = resource.replaceAll('-', ' ')
  const lastSegment = below.at(-1)
  if (lastSegment === undefined) return <ListSkeleton title={many.replace(/^./, (first) => first.toUpperCase())} />
  return <RecordSkeleton noun={nounOf(many, lastSegment)} />
}

/** True if the path is a list. The server reads a list before it sends the page; a record or form may still wait for the service. */
const isList = (path: string) => path.split('/').length <= 3

/**
 * Milliseconds to show the previous page before a skeleton. Most pages load sooner. After a fallback, React delays the content by 300 ms.
 */
const patience = 200

let last = { path: '', passed: Promise.resolve() }

/** Returns a promise that resolves after `patience` ms. It is the same promise until the path changes. */
function passedFor(path: string): Promise<void> {
  if (last.path !== path) last = { path, passed: new Promise((resolve) => setTimeout(resolve, patience)) }
  return last.passed
}

/** A skeleton that suspends for `patience` ms. Until then the router shows the previous page, so that fast pages show no skeleton. */
function LatePageSkeleton({ path }: { path: string }) {
  use(passedFor(path))
  return <PageSkeleton />
}

/**
 * Remounts the page when the path changes, with a skeleton if it loads slowly. Without the key the router would show the previous page. If
 * the first page is a list, it has no skeleton, because the server sends it complete.
 */
export function EachPage({ children }: { children: ReactNode }) {
  const path = usePathname()
  const [opened, setOpened] = useState<string | null>(path)
  if (opened !== null && opened !== path) setOpened(null)
  if (opened !== null && isList(path)) return <Fragment key={path}>{children}</Fragment>
  return (
    <Boundary key={path} fallback={opened === null ? <LatePageSkeleton path={path} /> : <PageSkeleton />}>
      {children}
    </Boundary>
  )
}
