'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, use, useState } from 'react'
import { ListSkeleton, RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'

/** Returns the noun for the skeleton of a page below a list: "form", "limits", "request", or the singular of the list's noun. */
function getSkeletonNoun(many: string, part: string): string {
  if (/^(new|simulate|edit)$/.test(part)) return 'form'
  if (part === 'limits') return part
  return many === 'deletions' ? 'request' : many.slice(0, -1)
}

/**
 * The skeleton of a page, derived from its URL: a list with its title, or a record. It is a client component, so that no page contains it.
 */
export function PageSkeleton() {
  const [, , resource = '', ...below] = usePathname().split('/')
  const pluralNoun = resource.replaceAll('-', ' ')
  const lastSegment = below.at(-1)
  if (lastSegment === undefined) return <ListSkeleton title={pluralNoun.replace(/^./, (first) => first.toUpperCase())} />
  return <RecordSkeleton noun={getSkeletonNoun(pluralNoun, lastSegment)} />
}

/** True if the path is a list. The server reads a list before it sends the page; a record or form may still wait for the service. */
const isList = (path: string) => path.split('/').length <= 3

/**
 * Milliseconds to show the previous page before a skeleton. Most pages load sooner. After a fallback, React delays the content by 300 ms.
 */
const skeletonDelayMs = 200

let latestDelay = { path: '', passed: Promise.resolve() }

/** Returns a promise that resolves after `skeletonDelayMs` ms. It is the same promise until the path changes. */
function getDelayPromise(path: string): Promise<void> {
  if (latestDelay.path !== path) latestDelay = { path, passed: new Promise((resolve) => setTimeout(resolve, skeletonDelayMs)) }
  return latestDelay.passed
}

/** A skeleton that suspends for `skeletonDelayMs` ms. Until then the router shows the previous page, so that fast pages show no skeleton. */
function DelayedPageSkeleton({ path }: { path: string }) {
  use(getDelayPromise(path))
  return <PageSkeleton />
}

/**
 * Remounts the page when the path changes, with a skeleton if it loads slowly. Without the key the router would show the previous page. If
 * the first page is a list, it has no skeleton, because the server sends it complete.
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const path = usePathname()
  const [firstPath, setFirstPath] = useState<string | null>(path)
  if (firstPath !== null && firstPath !== path) setFirstPath(null)
  if (firstPath !== null && isList(path)) return <Fragment key={path}>{children}</Fragment>
  return (
    <Boundary key={path} fallback={firstPath === null ? <DelayedPageSkeleton path={path} /> : <PageSkeleton />}>
      {children}
    </Boundary>
  )
}
