'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode, useState } from 'react'
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

/**
 * Makes the page of another path another page, with its shape in its place until it is read: the router keeps what two addresses share, and would show the
 * old one. The list that a window opens with is sent whole, without a shape before it: what replaces a shape is shown a third of a second later by React.
 */
export function EachPage({ children }: { children: ReactNode }) {
  const path = usePathname()
  const [opened, setOpened] = useState<string | null>(path)
  if (opened !== null && opened !== path) setOpened(null)
  if (opened !== null && isList(path)) return <Fragment key={path}>{children}</Fragment>
  return (
    <Boundary key={path} fallback={<PageSkeleton />}>
      {children}
    </Boundary>
  )
}
