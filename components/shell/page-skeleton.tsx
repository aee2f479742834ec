'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, use, useState } from 'react'
import {
  ListSkeleton,
  RecordSkeleton,
  TextPageSkeleton,
} from '@/components/kits/layout/page-skeletons'
import { Boundary } from '@/components/ui/boundary'

/** Nouns of records whose list has no name of the form "<noun>s". */
const irregularNouns: Readonly<Record<string, string>> = {
  audit: 'entry',
  deletions: 'request',
  people: 'person',
  policies: 'policy',
  profile: 'page',
}

function getSkeletonNoun(listName: string, lastSegment: string): string {
  if (/^(new|simulate|edit)$/.test(lastSegment)) return 'form'
  if (lastSegment === 'limits') return lastSegment
  return irregularNouns[listName] ?? listName.replace(/s$/, '')
}

/** Lists whose records are pages of text. All other records fill the window. */
const textRecordLists = ['approvals', 'audit', 'deletions', 'people', 'profile', 'webhooks']

const isTextPage = (listName: string, lastSegment: string): boolean =>
  /^(new|simulate|edit|delete)$/.test(lastSegment) || textRecordLists.includes(listName)

/** Shows a placeholder for the page in the URL: a list, a record, or a form or other text. */
export function PageSkeleton() {
  const [, , resource = '', ...below] = usePathname().split('/')
  const pluralNoun = resource.replaceAll('-', ' ')
  const lastSegment = below.at(-1)
  if (lastSegment === undefined)
    return <ListSkeleton title={pluralNoun.replace(/^./, (first) => first.toUpperCase())} />
  const noun = getSkeletonNoun(pluralNoun, lastSegment)
  return isTextPage(pluralNoun, lastSegment) ? (
    <TextPageSkeleton noun={noun} />
  ) : (
    <div className="-mx-4 lg:-mx-6">
      <RecordSkeleton noun={noun} />
    </div>
  )
}

/**
 * True for the path of a list. The server sends a list together with its rows. It may send other
 * pages before their data has loaded.
 */
const isListPath = (path: string) => path.split('/').length <= 3

/**
 * Milliseconds that the previous page stays visible before a skeleton replaces it. Most pages load
 * sooner. A skeleton would delay their content, because React shows content at the earliest 300 ms
 * after a skeleton.
 */
const skeletonDelayMs = 200

let latestPathDelay = { path: '', passed: Promise.resolve() }

/** Returns one promise per path, because `use` would suspend again for a new one. */
function getSkeletonDelayPromise(path: string): Promise<void> {
  if (latestPathDelay.path !== path)
    latestPathDelay = {
      path,
      passed: new Promise((resolve) => setTimeout(resolve, skeletonDelayMs)),
    }
  return latestPathDelay.passed
}

/**
 * Shows a skeleton after `skeletonDelayMs`. It suspends until then, so that the router keeps the
 * previous page visible and a fast page shows no skeleton.
 */
function DelayedPageSkeleton({ path }: { path: string }) {
  use(getSkeletonDelayPromise(path))
  return <PageSkeleton />
}

/**
 * Remounts the page when its path changes, and shows a skeleton if the new page loads slowly.
 * Without the `key`, the router would keep the previous page visible. The first page after a full
 * load gets no skeleton if it is a list, because the server sends a list complete.
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const path = usePathname()
  const [firstPath, setFirstPath] = useState<string | null>(path)
  if (firstPath !== null && firstPath !== path) setFirstPath(null)
  if (firstPath !== null && isListPath(path)) return <Fragment key={path}>{children}</Fragment>
  return (
    <Boundary
      key={path}
      fallback={firstPath === null ? <DelayedPageSkeleton path={path} /> : <PageSkeleton />}
    >
      {children}
    </Boundary>
  )
}
