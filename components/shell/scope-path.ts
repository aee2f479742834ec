'use client'

import { usePathname, useSearchParams } from 'next/navigation'

/** Parts of a URL that name something of the old scope and would find nothing in the new one. */
const ofOneScope = ['open', 'page', 'page_number']

/** The present page in another scope; null is the whole platform. */
export function usePathInScope(): (account: string | null) => string {
  const pathname = usePathname()
  const search = useSearchParams()
  return (account) => {
    const next = new URLSearchParams(search)
    for (const name of ofOneScope) next.delete(name)
    if (account) next.set('account', account)
    else next.delete('account')
    const text = next.toString()
    return text === '' ? pathname : `${pathname}?${text}`
  }
}
