'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { lazy, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { ListLink } from '@/components/kits/list/frame'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { Popover } from '@/components/ui/overlay'
import { type SavedView, unsavedUrlParams } from '@/lib/operations/saved-view'
import type { ListResource } from '@/lib/routes'

const ViewForm = lazy(() =>
  import('./view-form').then((module) => ({ default: module.SavedViewForm })),
)

/**
 * Returns the search parameters in the form in which a saved view stores them: sorted, and without
 * account, page and open row. `implied` are the values of parameters that the URL omits.
 */
function toSavedViewQuery(
  params: URLSearchParams,
  implied: Readonly<Record<string, string>>,
): string {
  const savedViewParams = new URLSearchParams({ ...implied, ...Object.fromEntries(params) })
  for (const paramName of unsavedUrlParams) savedViewParams.delete(paramName)
  savedViewParams.sort()
  return savedViewParams.toString()
}

/**
 * `tab` and `columns` are the values that apply if the URL omits these parameters, as URL text.
 * Null if there is no such value.
 */
type SavedViewsProps = {
  list: ListResource
  views: readonly SavedView[]
  failed: boolean
  tab: string | null
  columns: string | null
}

export function SavedViews({ list, views, failed, tab, columns }: SavedViewsProps) {
  const { account } = usePageContext()
  const path = usePathname()
  const router = useRouter()
  const params = useSearchParams()
  const impliedParams: Record<string, string> = tab === null ? {} : { tab }
  const currentViewQuery = toSavedViewQuery(
    params,
    columns === null ? impliedParams : { ...impliedParams, cols: columns },
  )
  // A view that was saved without columns is shown with the person's own columns. It must still
  // count as the current view.
  const viewQueryWithoutColumns = toSavedViewQuery(params, impliedParams)
  const [statusText, setStatusText] = useState('')
  const currentSavedView =
    views.find(({ search }) => search === currentViewQuery) ??
    views.find(({ search }) => search === viewQueryWithoutColumns)
  const toSavedViewHref = (view: SavedView) => {
    const query = new URLSearchParams(view.search)
    if (account) query.set('account', account)
    return `${path}?${query}`
  }
  const showStatus = (text: string) => {
    setStatusText(text)
    router.refresh()
  }
  return (
    <nav
      aria-label="Views"
      className="flex min-w-0 flex-1 items-center gap-2 overflow-x-auto whitespace-nowrap text-xs print:hidden"
    >
      {views.length > 0 && (
        <span aria-hidden="true" className="text-ink-3">
          Views
        </span>
      )}
      {failed && <span className="text-held">Views could not be read</span>}
      <ul className="flex items-center gap-1">
        {views.map((view) => (
          <li key={view.id}>
            <ListLink
              href={toSavedViewHref(view)}
              aria-current={view === currentSavedView ? 'true' : undefined}
              className={cn(
                'inline-flex h-6 max-w-56 items-center gap-1 rounded-full border px-2.5 hover:bg-sunken pointer-coarse:h-10',
                view === currentSavedView
                  ? 'border-accent bg-selected font-semibold'
                  : 'border-line bg-surface',
              )}
            >
              <ExternalText className="truncate">{view.name}</ExternalText>
              {view.shared && (
                <span className="shrink-0 text-ink-3">
                  {view.own ? 'shared' : `by ${view.owner}`}
                </span>
              )}
            </ListLink>
          </li>
        ))}
      </ul>
      <Popover
        label={currentSavedView ? 'Change the view' : 'Save as a view'}
        panelClassName="w-72 p-3"
        className={cn(buttonVariants({ variant: 'quiet' }), 'shrink-0')}
        content={(close) => (
          <ViewForm
            list={list}
            search={currentViewQuery}
            view={currentSavedView}
            onDone={(text) => {
              close()
              showStatus(text)
            }}
          />
        )}
      >
        {currentSavedView ? 'Change…' : 'Save view…'}
      </Popover>
      <span role="status" className="sr-only">
        {statusText}
      </span>
    </nav>
  )
}
