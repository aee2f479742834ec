'use client'

import { useQueryClient } from '@tanstack/react-query'
import { CommandGroup, CommandInput, CommandList, CommandRoot } from 'cmdk'
import { useRouter } from 'next/navigation'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { PageIcons } from '@/components/shell/page-icons'
import { usePathInScope } from '@/components/shell/scope-path'
import { Kbd } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { getScopeName } from '@/lib/client/page-context'
import { type PaletteEntry, type PaletteGroup, PaletteLine } from './entries'
import { maxTermLength, parseTerm } from './search-term'
import { usePaletteGroups } from './use-groups'
import type { PaletteLookup } from './use-lookup'

type SearchStatusProps = {
  typed: string
  lookup: PaletteLookup
  lines: number
  onWiden: (() => void) | null
}

/** Shows where the search ran, which searches failed, and if nothing was found. */
function SearchStatus({ typed, lookup, lines, onWiden }: SearchStatusProps) {
  const { account } = usePageContext()
  const term = parseTerm(typed)
  const hasNoResult =
    term !== null && !lookup.busy && lookup.hits.length + lookup.traces.length === 0
  return (
    <div className="grid gap-1 text-ink-3 text-xs">
      <div role="status" className="grid gap-1">
        {lookup.busy ? <p>Searching…</p> : <SearchedScopes lookup={lookup} none={hasNoResult} />}
        {!term && typed.trim() !== '' && lines === 0 && (
          <p className="text-sm">
            No page or action matches. You can search for IDs, email addresses, last four digits and
            words of four or more letters.
          </p>
        )}
        {!lookup.busy && (
          <span className="sr-only">{lines === 1 ? '1 result' : `${lines} results`}</span>
        )}
      </div>
      {hasNoResult && account && onWiden && (
        <p>
          The record may belong to another account.{' '}
          <button
            type="button"
            onClick={onWiden}
            className="rounded-sm text-accent underline underline-offset-2"
          >
            Search the whole platform
          </button>
        </p>
      )}
    </div>
  )
}

function SearchedScopes({
  lookup: { searched, failures },
  none,
}: {
  lookup: PaletteLookup
  none: boolean
}) {
  const context = usePageContext()
  const scopeName = context.needsAccount ? 'no account' : getScopeName(context, context.account)
  return (
    <>
      {none && (
        <p className="font-medium text-ink text-sm">
          {failures.length > 0 ? 'Not found in the places searched' : 'No matching record'}
        </p>
      )}
      {searched.length > 0 && (
        <p>
          Searched {searched.join(', ')} in {scopeName}, {context.environment}.
        </p>
      )}
      {failures.map(({ what, why }) => (
        <p key={what} className="text-bad">
          Could not search {what}: {why}
        </p>
      ))}
    </>
  )
}

type PaletteResultsProps = {
  groups: readonly PaletteGroup[]
  onChoose: (entry: PaletteEntry) => void
  /** Opens the entry in a new tab. */
  onOther: (entry: PaletteEntry) => void
}

const PaletteResults = ({ groups, onChoose, onOther }: PaletteResultsProps) => (
  <CommandList
    label="Results"
    className={cn(
      groups.length === 0 && 'hidden',
      'max-h-[min(26rem,calc(100dvh-14rem))] overflow-y-auto overscroll-contain p-1.5',
    )}
  >
    {groups.map(({ heading, entries }) => (
      <CommandGroup
        key={heading}
        heading={heading}
        className="not-first:pt-1.5 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-2xs **:[[cmdk-group-heading]]:text-ink-3"
      >
        {entries.map((entry) => (
          <PaletteLine key={entry.value} entry={entry} onChoose={onChoose} onOther={onOther} />
        ))}
      </CommandGroup>
    ))}
  </CommandList>
)

const PaletteKeyHints = () => (
  <p aria-hidden="true" className="flex flex-wrap gap-x-3 gap-y-1 text-ink-3 text-xs max-sm:hidden">
    <span>
      <Kbd>↑</Kbd> <Kbd>↓</Kbd> move
    </span>
    <span>
      <Kbd>Enter</Kbd> open
    </span>
    <span>
      <Kbd>Ctrl Enter</Kbd> in a new tab
    </span>
  </p>
)

type PaletteProps = {
  typed: string
  /**
   * True if the person typed before this component loaded. The caret is then placed at the end of
   * the text. Otherwise the text of the last search is selected, so that typing replaces it.
   */
  ahead: boolean
  onType: (text: string) => void
  icons: PageIcons
  searchIcon: ReactNode
  platformAllowed: boolean
  onDone: () => void
  onKeys: () => void
}

/** Returns the ref of the input. The input takes the focus on mount. */
function useFocusedInput(typed: string, hasTypedAhead: boolean) {
  const inputRef = useRef<HTMLInputElement>(null)
  const focusInput = useEffectEvent(() => {
    inputRef.current?.focus()
    if (hasTypedAhead) inputRef.current?.setSelectionRange(typed.length, typed.length)
    else inputRef.current?.select()
  })
  useEffect(() => focusInput(), [])
  return inputRef
}

export function Palette({
  typed,
  ahead,
  onType,
  icons,
  searchIcon,
  platformAllowed,
  onDone,
  onKeys,
}: PaletteProps) {
  const { groups, lookup } = usePaletteGroups({ typed, icons, platformAllowed, onKeys })
  const getPathInScope = usePathInScope()
  const queryClient = useQueryClient()
  const router = useRouter()
  const shouldOpenInNewTab = useRef(false)
  const input = useFocusedInput(typed, ahead)
  const openEntryInTab = (entry: PaletteEntry) =>
    entry.path && window.open(entry.path, '_blank', 'noopener')
  const chooseEntry = (entry: PaletteEntry) => {
    if (entry.path && shouldOpenInNewTab.current) return void openEntryInTab(entry)
    onDone()
    // Removes the cached data of the previous account scope. Otherwise the page would show that
    // data while the new scope loads.
    if (entry.value.startsWith('scope')) queryClient.removeQueries({ type: 'inactive' })
    if (entry.path) router.push(entry.path)
    else entry.run?.()
  }
  const trackModifierKeys = (event: KeyboardEvent | MouseEvent) => {
    shouldOpenInNewTab.current = event.ctrlKey || event.metaKey
  }
  return (
    <div onKeyDownCapture={trackModifierKeys} onClickCapture={trackModifierKeys}>
      <CommandRoot
        label="Find or go to"
        shouldFilter={false}
        loop
        vimBindings={false}
        className="grid"
      >
        <div className="flex items-center gap-2.5 border-line border-b px-4 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-3">
          {searchIcon}
          <CommandInput
            ref={input}
            value={typed}
            onValueChange={onType}
            maxLength={maxTermLength}
            placeholder="Page, action, account, name, any ID, email, last 4"
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
          />
          <button
            type="button"
            onClick={onDone}
            className="rounded-sm px-1 text-ink-3 text-xs hover:text-ink"
          >
            <span className="sr-only">Close</span>
            <Kbd aria-hidden="true">Esc</Kbd>
          </button>
        </div>
        <PaletteResults groups={groups} onChoose={chooseEntry} onOther={openEntryInTab} />
      </CommandRoot>
      <div className={cn('grid gap-2 px-4 py-2.5', groups.length > 0 && 'border-line border-t')}>
        <SearchStatus
          typed={typed}
          lookup={lookup}
          lines={groups.reduce((sum, { entries }) => sum + entries.length, 0)}
          onWiden={platformAllowed ? () => router.push(getPathInScope(null)) : null}
        />
        <PaletteKeyHints />
      </div>
    </div>
  )
}
