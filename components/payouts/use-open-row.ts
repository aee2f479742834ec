'use client'

import { useRouter, useSearchParams } from 'next/navigation'
import { useDesk } from '@/components/kits/layout/desk-context'
import { detailHref } from './detail-href'

const wide = '(width >= 64rem)'

/** Next keeps its own search parameters in step with the history, so the list is not read again for a row that opens. */
function push(id: string | null) {
  const url = new URL(location.href)
  if (id === null) url.searchParams.delete('open')
  else url.searchParams.set('open', id)
  if (url.href !== location.href) history.pushState(null, '', url)
}

/**
 * The payout that is open beside the list, in the URL: Back closes it and a link opens it. Where there is no room for two panes, showing a
 * payout goes to its own page instead.
 */
export function useOpenRow() {
  const desk = useDesk()
  const router = useRouter()
  const open = useSearchParams().get('open')
  const show = (id: string) => {
    if (matchMedia(wide).matches) push(id)
    else router.push(detailHref(desk.environment, desk.account, id))
  }
  return { open, show, close: () => push(null) }
}
