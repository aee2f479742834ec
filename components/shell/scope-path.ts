'use client'

import { usePathname, useSearchParams } from 'next/navigation'

/** URL parameters that are not valid in another scope. */
const scopedParameters = ['open', 'page', 'page_number']

/**
 * True if the page shows one existing record, which keeps its own account in every scope. Forms about an account switch to the new scope.
 */
const isRecordPath = (pathname: string) => /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|$)/.test(pathname)

/** Returns a function that returns the current page's URL in another scope. Null is the whole platform. */
export function usePathInScope(): (account: string | null) => string {
  const pathname = usePathname()
  const search = useSearchParams()
  return (account) => {
    const next = new URLSearchParams(search)
    for (const name of scopedParameters) next.delete(name)
    if (!isRecordPath(pathname) || next.get('of') === account) next.delete('of')
    if (account) next.set('account', account)
    else next.delete('account')
    const text = next.toString()
    return text === '' ? pathname : `${pathname}?${text}`
  }
}
