'use client'

import { useRouter, useSearchParams } from 'next/navigation'

const wide = '(width >= 64rem)'

/** Next keeps its own search parameters in step with the history, so the list is not read again for a row that opens. */
function push(id: string | null) {
  const url = new URL(location.href)
  if (id === null) url.searchParams.delete('open')
  else url.searchParams.set('open', id)
  if (url.href !== location.href) history.pushState(null, '', url)
}

/**
 * The row that is open beside the list, in the URL: Back closes it and a link opens it. Where there is no room for two panes, `show` goes to
 * the record's own page, `href`, instead.
 */
export function useOpenRow() {
  const router = useRouter()
  const open = useSearchParams().get('open')
  const show = (id: string, href: string) => {
    if (matchMedia(wide).matches) push(id)
    else router.push(href)
  }
  return { open, show, close: () => push(null) }
}
