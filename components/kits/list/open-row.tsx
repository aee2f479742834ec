'use client'

import { useRouter, useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { handOverFocus } from '@/components/kits/layout/arrival'
import { useList } from './frame'
import { firstRow } from './spec'

type OpenRow = {
  open: string | null
  /** Opens a row beside the list; where there is no room for two panes and none is open, its own page, `href`. */
  show: (id: string, href: string) => void
  /** Opens another row in place of the open one: Back closes the panel and does not walk all the rows again. */
  walk: (id: string) => void
  close: () => void
}

const nothing = () => {}
const OpenRowContext = createContext<OpenRow>({ open: null, show: nothing, walk: nothing, close: nothing })

/** The row that is open beside the list, in the URL: Back closes it and a link opens it. */
export const useOpenRow = () => useContext(OpenRowContext)

const wide = '(width >= 64rem)'

/** Whether a row opens beside the list and not on its own page. Offline its page cannot be had; the panel says so in the list's place. */
const hasRoom = (open: string | null) => open !== null || matchMedia(wide).matches || !navigator.onLine

/** Next keeps its own search parameters in step with the history, so the list is not read again for a row that opens. */
type By = 'pushState' | 'replaceState'

function write(id: string | null, by: By) {
  const url = new URL(location.href)
  if (id === null) url.searchParams.delete('open')
  else url.searchParams.set('open', id)
  if (url.href !== location.href) history[by](null, '', url)
}

type OpenRowProviderProps = { first: string | null; beside: boolean; children: ReactNode }

/** The row that was opened last, the rows it was opened from, and the view of the list it is open in. */
type Lead = { to: string | null; over: readonly (string | null)[]; view: string }

/**
 * Keeps which row is open; `first` is the first one, and `beside` whether rows open beside the list at all. Next's parameters follow the history a moment later, and a reading that began before sets
 * them back for a moment: meanwhile `lead` is what counts, so that the key after `j` already meets the record it went to and no panel is drawn again.
 */
export function OpenRowProvider({ first, beside, children }: OpenRowProviderProps) {
  const router = useRouter()
  const params = useSearchParams()
  const said = openIn(params, beside)
  const view = viewIn(params)
  const [lead, setLead] = useState<Lead | null>(null)
  const isBehind = lead !== null && lead.view === view && lead.over.includes(said)
  if (lead && !isBehind && (lead.view !== view || said !== lead.to)) setLead(null)
  // From here on an address without a row is one that somebody went to.
  if (lead?.over.includes(null) && said === lead.to) setLead({ ...lead, over: lead.over.filter((id) => id !== null) })
  const named = said === firstRow ? first : said
  const open = lead && isBehind ? lead.to : named
  // A history entry made while another view of the list is loading would cancel that: it is made once the view failed to load.
  const { moving, historyChanged } = useList()
  const delayed = useRef<{ to: string | null; by: By } | null>(null)
  const put = useCallback(
    (to: string | null, by: By) => {
      setLead((old) => {
        const over = [...(old?.over ?? []), ...(old ? [old.to] : []), said].filter((id) => id !== to)
        return { to, over, view }
      })
      // A row that replaces one which is not in the URL yet is still one step back from the list.
      if (moving) delayed.current = { to, by: delayed.current?.by === 'pushState' ? 'pushState' : by }
      else {
        write(to, by)
        historyChanged()
      }
    },
    [said, view, moving, historyChanged],
  )
  useEffect(() => {
    if (moving || !delayed.current) return
    const { to, by } = delayed.current
    delayed.current = null
    if (isBehind) write(to, by)
  }, [isBehind, moving])
  // The row keeps its name from here on: which one is the first changes with each decision.
  const isFirst = said === firstRow && !isBehind
  useEffect(() => {
    // The person may have gone back before this effect runs.
    if (!isFirst || openIn(new URLSearchParams(location.search), beside) !== firstRow) return
    put(first, 'replaceState')
    if (first !== null) handOverFocus(firstRow, first)
  }, [isFirst, first, put, beside])
  useEffect(() => {
    const forget = () => {
      delayed.current = null
      setLead(null)
    }
    window.addEventListener('popstate', forget)
    return () => window.removeEventListener('popstate', forget)
  }, [])
  const value = useMemo<OpenRow>(
    () => ({
      open,
      show: (id, href) => {
        if (beside && hasRoom(open)) put(id, 'pushState')
        else router.push(href)
      },
      walk: (id) => put(id, 'replaceState'),
      close: () => put(null, 'pushState'),
    }),
    [open, put, router, beside],
  )
  return <OpenRowContext value={value}>{children}</OpenRowContext>
}

/** The row the search parameters name, where rows open beside the list. */
const openIn = (params: URLSearchParams, beside: boolean): string | null => (beside ? params.get('open') : null)

function viewIn(params: URLSearchParams): string {
  const view = new URLSearchParams(params)
  view.delete('open')
  return view.toString()
}
