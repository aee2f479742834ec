'use client'

import { CommandGroup, CommandInput, CommandList, CommandRoot } from 'cmdk'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import { Kbd } from '@/components/ui/kbd'
import { queryClient } from '@/lib/client/query-client'
import { QueryProvider } from '@/lib/client/query-provider'
import { longest } from './asked'
import type { PageIcons } from './page-icons'
import type { PaletteEntry } from './palette-entry'
import { PaletteLine } from './palette-line'
import { PaletteSaid } from './palette-said'
import { usePathInScope } from './scope-path'
import { usePaletteGroups } from './use-palette-groups'

type PaletteProps = {
  typed: string
  onType: (text: string) => void
  icons: PageIcons
  searchIcon: ReactNode
  platformAllowed: boolean
  onDone: () => void
  onKeys: () => void
}

/** One box for pages, actions, accounts, and everything that has an id, a name or a trace. */
export const Palette = (props: PaletteProps) => (
  <QueryProvider>
    <PaletteBox {...props} />
  </QueryProvider>
)

function PaletteBox({ typed, onType, icons, searchIcon, platformAllowed, onDone, onKeys }: PaletteProps) {
  const { groups, lookup } = usePaletteGroups({ typed, icons, platformAllowed, onKeys })
  const pathInScope = usePathInScope()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const elsewhere = useRef(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])

  const other = (entry: PaletteEntry) => entry.path && window.open(entry.path, '_blank', 'noopener')
  const choose = (entry: PaletteEntry) => {
    if (entry.path && elsewhere.current) return void other(entry)
    onDone()
    // What was read in one scope is not drawn in another while the new one is read.
    if (entry.value.startsWith('scope')) queryClient().removeQueries({ type: 'inactive' })
    if (entry.path) router.push(entry.path)
    else entry.run?.()
  }
  const noteModifier = (event: KeyboardEvent | MouseEvent) => {
    elsewhere.current = event.ctrlKey || event.metaKey
  }
  return (
    <div onKeyDownCapture={noteModifier} onClickCapture={noteModifier}>
      <CommandRoot label="Find or go to" shouldFilter={false} loop vimBindings={false} className="grid">
        <div className="flex items-center gap-2.5 border-line border-b px-4 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-3">
          {searchIcon}
          <CommandInput
            ref={input}
            value={typed}
            onValueChange={onType}
            maxLength={longest}
            placeholder="Page, action, account, name, any id, e-mail, last 4"
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
          />
          <button type="button" onClick={onDone} className="rounded-sm px-1 text-ink-3 text-xs hover:text-ink">
            <span className="sr-only">Close</span>
            <Kbd aria-hidden="true">Esc</Kbd>
          </button>
        </div>
        <CommandList
          label="Results"
          className={cn(groups.length === 0 && 'hidden', 'max-h-[min(26rem,calc(100dvh-14rem))] overflow-y-auto overscroll-contain p-1.5')}
        >
          {groups.map(({ heading, entries }) => (
            <CommandGroup
              key={heading}
              heading={heading}
              className="not-first:pt-1.5 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-2xs **:[[cmdk-group-heading]]:text-ink-3"
            >
              {entries.map((entry) => (
                <PaletteLine key={entry.value} entry={entry} onChoose={choose} onOther={other} />
              ))}
            </CommandGroup>
          ))}
        </CommandList>
      </CommandRoot>
      <footer className={cn('grid gap-2 px-4 py-2.5', groups.length > 0 && 'border-line border-t')}>
        <PaletteSaid
          typed={typed}
          lookup={lookup}
          lines={groups.reduce((sum, { entries }) => sum + entries.length, 0)}
          onWiden={platformAllowed ? () => router.push(pathInScope(null)) : null}
        />
        <p aria-hidden="true" className="flex flex-wrap gap-x-3 gap-y-1 text-ink-3 text-xs max-sm:hidden">
          <span>
            <Kbd>↑</Kbd> <Kbd>↓</Kbd> walk
          </span>
          <span>
            <Kbd>Enter</Kbd> open
          </span>
          <span>
            <Kbd>Ctrl Enter</Kbd> in a new tab
          </span>
        </p>
      </footer>
    </div>
  )
}
