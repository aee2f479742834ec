'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, use, useState } from 'react'
import { ListSkeleton, RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'

/** What is read for a page below a list: a form, the limits of an account, a request to delete, or what the list is of. */
function nounOf(many: string, part: string): string {
  if (/^(new|simulate|edit)$/.test(part)) return 'form'
  if (part === 'limits') return part
  return many === 'deletions' ? 'request' : many.slice(0, -1)
}

/**
 * The shape of a page while it is read, as its address names it: a list under its title, or one record. Drawn by the browser's own script: as data of the page
 * it would be sent with each.
 */
export function PageSkeleton() {
  const [, , resource = '', ...below] = usePathname().split('/')
  const many = resource.replaceAll('-', ' ')
  const part = below.at(-1)
  if (part === undefined) return <ListSkeleton title={many.replace(/^./, (first) => first.toUpperCase())} />
  return <RecordSkeleton noun={nounOf(many, part)} />
}

/** Whether a page is one list, which the server has read before it sends anything: a record or a form may wait for the service. */
const isList = (path: string) => path.split('/').length <= 3

/** How long the page before is shown rather than a shape (milliseconds): most are read sooner, and React shows what follows a shape 300 ms after it. */
const patience = 200

let last = { path: '', passed: Promise.resolve() }

/** Settled once a page that a link leads to has taken so long; the same for as long as it is that page. */
function passedFor(path: string): Promise<void> {
  if (last.path !== path) last = { path, passed: new Promise((resolve) => setTimeout(resolve, patience)) }
  return last.passed
}

/** A shape that waits itself: until it is there the router keeps the page before, and where the next one comes first it is not drawn. */
function LatePageSkeleton({ path }: { path: string }) {
  use(passedFor(path))
  return <PageSkeleton />
}

/**
 * Makes the page of another path another page, with its shape in its place where it takes long to read: the router keeps what two addresses share, and would
 * show the old one. The list that a window opens with is sent whole, without a shape before it.
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
