'use client'

import { usePathname, useSearchParams } from 'next/navigation'

/** Parts of a URL that name something of the old scope and would find nothing in the new one. */
const ofOneScope = ['open', 'page', 'page_number']

/** Whether a page is about one object that is there: it belongs to its account in every scope. A form about an account turns to the new one. */
const isAboutOne = (pathname: string) => /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|$)/.test(pathname)

/** The present page in another scope; null is the whole platform. */
export function usePathInScope(): (account: string | null) => string {
  const pathname = usePathname()
  const search = useSearchParams()
  return (account) => {
    const next = new URLSearchParams(search)
    for (const name of ofOneScope) next.delete(name)
    if (!isAboutOne(pathname) || next.get('of') === account) next.delete('of')
    if (account) next.set('account', account)
    else next.delete('account')
    const text = next.toString()
    return text === '' ? pathname : `${pathname}?${text}`
  }
}
