'use client'

import { useRouter, useSearchParams } from 'next/navigation'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { moveHeadingFocus } from '@/components/kits/layout/focus'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { useListNavigation } from './frame'
import { firstRowParam } from './spec'

type OpenRowState = {
  open: string | null
  /** Opens a row beside the list, or in a narrow window without an open row, its page (`href`). */
  show: (id: string, href: string) => void
  /** Replaces the open row: Back closes the panel and does not step through all rows. */
  walk: (id: string) => void
  close: () => void
}

const doNothing = () => {}
const OpenRowContext = createContext<OpenRowState>({
  open: null,
  show: doNothing,
  walk: doNothing,
  close: doNothing,
})

/** The row is in the URL, so that Back closes it and a link opens it. */
export const useOpenRowState = () => useContext(OpenRowContext)

const wideWindowQuery = '(width >= 64rem)'

/** Always true offline, because the row's own page cannot load. */
const canOpenBesideList = (open: string | null) =>
  open !== null || matchMedia(wideWindowQuery).matches || !navigator.onLine

/** Next reads search parameters from the browser history: neither method refetches the list. */
type HistoryMethod = 'pushState' | 'replaceState'

function writeOpenRowToUrl(id: string | null, method: HistoryMethod) {
  const url = new URL(location.href)
  if (id === null) url.searchParams.delete('open')
  else url.searchParams.set('open', id)
  if (url.href !== location.href) history[method](null, '', url)
}

type OpenRowProviderProps = { first: string | null; beside: boolean; children: ReactNode }

/**
 * The row to show before the URL contains it: `to`, or null if the panel is closed. `over` are the
 * rows that the URL may still contain until then. `view` identifies the view of the list: its
 * search parameters without `open`.
 */
type PendingRowChange = { to: string | null; over: readonly (string | null)[]; view: string }

/**
 * Provides the open row. `first` is the id of the list's first row; `beside` is true if rows open
 * beside the list.
 *
 * Next's search parameters change later than the browser history, and a refresh that started
 * earlier resets them for a moment. During that time `pendingRow` takes precedence. A key pressed
 * right after `j` (next row) thus affects the new row, and no panel renders twice.
 */
export function OpenRowProvider({ first, beside, children }: OpenRowProviderProps) {
  const router = useRouter()
  const params = useSearchParams()
  const openParam = readOpenParam(params, beside)
  const viewKey = getViewKey(params)
  const [pendingRow, setPendingRow] = useState<PendingRowChange | null>(null)
  const isUrlOutdated =
    pendingRow !== null && pendingRow.view === viewKey && pendingRow.over.includes(openParam)
  if (pendingRow && !isUrlOutdated && (pendingRow.view !== viewKey || openParam !== pendingRow.to))
    setPendingRow(null)
  // Once the URL contains the pending row, a URL without `open` means that the user closed the
  // panel.
  if (pendingRow?.over.includes(null) && openParam === pendingRow.to)
    setPendingRow({ ...pendingRow, over: pendingRow.over.filter((id) => id !== null) })
  const urlRowId = openParam === firstRowParam ? first : openParam
  const openRowId = pendingRow && isUrlOutdated ? pendingRow.to : urlRowId
  // While another view loads, a new history entry would cancel that load. `setOpenRow` then only
  // stores the entry in `delayedHistoryEntry`, and the effect below writes it if the view fails to
  // load.
  const { moving, historyChanged } = useListNavigation()
  const delayedHistoryEntry = useRef<{ to: string | null; by: HistoryMethod } | null>(null)
  const setOpenRow = useCallback(
    (rowId: string | null, method: HistoryMethod) => {
      setPendingRow((old) => {
        const outdatedRowIds = [...(old?.over ?? []), ...(old ? [old.to] : []), openParam].filter(
          (id) => id !== rowId,
        )
        return { to: rowId, over: outdatedRowIds, view: viewKey }
      })
      // A stored `pushState` stays one, even if this row replaces the stored row. Neither row is in
      // the URL yet, and Back must return to the list.
      if (moving)
        delayedHistoryEntry.current = {
          to: rowId,
          by: delayedHistoryEntry.current?.by === 'pushState' ? 'pushState' : method,
        }
      else {
        writeOpenRowToUrl(rowId, method)
        historyChanged()
      }
    },
    [openParam, viewKey, moving, historyChanged],
  )
  useEffect(() => {
    if (moving || !delayedHistoryEntry.current) return
    const { to, by } = delayedHistoryEntry.current
    delayedHistoryEntry.current = null
    if (isUrlOutdated) writeOpenRowToUrl(to, by)
  }, [isUrlOutdated, moving])
  // Replaces `first` in the URL with the row's id, because another row becomes the first after each
  // decision.
  const isFirstRowRequested = openParam === firstRowParam && !isUrlOutdated
  useEffect(() => {
    // The person may have gone back before this effect runs.
    if (
      !isFirstRowRequested ||
      readOpenParam(new URLSearchParams(location.search), beside) !== firstRowParam
    )
      return
    setOpenRow(first, 'replaceState')
    if (first !== null) moveHeadingFocus(firstRowParam, first)
  }, [isFirstRowRequested, first, setOpenRow, beside])
  useWindowEvent('popstate', () => {
    delayedHistoryEntry.current = null
    setPendingRow(null)
  })
  const openRowState = useMemo<OpenRowState>(
    () => ({
      open: openRowId,
      show: (id, href) => {
        if (beside && canOpenBesideList(openRowId)) setOpenRow(id, 'pushState')
        else router.push(href)
      },
      walk: (id) => setOpenRow(id, 'replaceState'),
      close: () => setOpenRow(null, 'pushState'),
    }),
    [openRowId, setOpenRow, router, beside],
  )
  return <OpenRowContext value={openRowState}>{children}</OpenRowContext>
}

/** Null if rows do not open beside the list. */
const readOpenParam = (params: URLSearchParams, canOpenBeside: boolean): string | null =>
  canOpenBeside ? params.get('open') : null

function getViewKey(params: URLSearchParams): string {
  const paramsWithoutOpenRow = new URLSearchParams(params)
  paramsWithoutOpenRow.delete('open')
  return paramsWithoutOpenRow.toString()
}
