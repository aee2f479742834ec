'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, use, useState } from 'react'
import { ListSkeleton, RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'

/** Returns the noun for a skeleton below a list: form, limits, request, or the singular of the list. */
function nounOf(many: string, part: string): string {
  if (/^(new|simulate|edit)$/.test(part)) return 'form'
  if (part === 'limits') return part
  return many === 'deletions' ? 'request' : many.slice(0, -1)
}

/**
 * Skeleton of a page by its URL: a list with its title, or a record. A client component, because its markup would otherwise be sent with
 * each page.
 */
export function PageSkeleton() {
  const [, , resource = '', ...below] = usePathname().split('/')
  const many = resource.replaceAll('-', ' ')
  const lastSegment = below.at(-1)
  if (lastSegment === undefined) return <ListSkeleton title={many.replace(/^./, (first) => first.toUpperCase())} />
  return <RecordSkeleton noun={nounOf(many, lastSegment)} />
}

/** True if the page is a list. The server reads a list before it sends anything; a record or form may wait for the service. */
const isList = (path: string) => path.split('/').length <= 3

/**
 * Milliseconds to keep the previous page before a skeleton shows. Most pages load sooner, and React delays content for 300 ms after a
 * fallback.
 */
const patience = 200

let last = { path: '', passed: Promise.resolve() }

/** Resolves after `patience`. Returns the same promise for the same path. */
function passedFor(path: string): Promise<void> {
  if (last.path !== path) last = { path, passed: new Promise((resolve) => setTimeout(resolve, patience)) }
  return last.passed
}

/** Suspends for 200 ms, so that the router keeps the previous page and fast pages show no skeleton. */
function LatePageSkeleton({ path }: { path: string }) {
  use(passedFor(path))
  return <PageSkeleton />
}

/**
 * Remounts the page when the path changes, with a skeleton if loading is slow. Without the key the router would keep showing the old page.
 * The list that a window opens with is sent complete, without a skeleton.
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
