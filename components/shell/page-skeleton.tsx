'use client'

import { usePathname } from 'next/navigation'
import { Fragment, type ReactNode } from 'react'
import { ListSkeleton, RecordSkeleton } from '@/components/kits/layout/page-skeletons'

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

/** Makes the page of another path another page: the router keeps what two addresses share, and would show the old one until the new one is read. */
export const EachPage = ({ children }: { children: ReactNode }) => <Fragment key={usePathname()}>{children}</Fragment>
