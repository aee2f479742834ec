'use client'

import { usePathname, useSearchParams } from 'next/navigation'

/** Removed when the account changes, because they refer to the previous account's list. */
const accountBoundParameters = ['open', 'page', 'page_number']

/**
 * True if the path contains the id of a record. The record keeps its account in every account
 * scope, so the URL keeps `of`. Without an id, for example in a form for a new record, the page
 * belongs to the account of the scope.
 */
const isRecordPath = (pathname: string) =>
  /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/|$)/.test(pathname)

/**
 * Returns a function that returns the URL of the current page for another account, or for the whole
 * platform if `account` is null.
 */
export function usePathInScope(): (account: string | null) => string {
  const pathname = usePathname()
  const search = useSearchParams()
  return (account) => {
    const newParameters = new URLSearchParams(search)
    for (const name of accountBoundParameters) newParameters.delete(name)
    if (!isRecordPath(pathname) || newParameters.get('of') === account) newParameters.delete('of')
    if (account) newParameters.set('account', account)
    else newParameters.delete('account')
    const queryString = newParameters.toString()
    return queryString === '' ? pathname : `${pathname}?${queryString}`
  }
}
