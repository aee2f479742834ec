'use client'

import { useRouter } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { useDesk } from '@/components/kits/layout/desk-context'
import { detailHref } from './payout-view'

const wide = '(width >= 64rem)'

/**
 * The payout that is open beside the list, in the URL without another reading of the list. Where there is no room for two panes, showing a
 * payout goes to its own page instead.
 */
export function useOpenRow() {
  const desk = useDesk()
  const router = useRouter()
  const [open, setOpen] = useQueryState('open', parseAsString.withOptions({ history: 'push', shallow: true, scroll: false }))
  const show = (id: string) => {
    if (matchMedia(wide).matches) void setOpen(id)
    else router.push(detailHref(desk.environment, desk.account, id))
  }
  return { open, show, close: () => void setOpen(null) }
}
