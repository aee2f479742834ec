'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { lazy, type ReactNode, useEffect, useState } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import type { PageIcons } from '@/components/shell/page-icons'
import { Boundary } from '@/components/ui/boundary'
import { Kbd } from '@/components/ui/button'
import { Dialog } from '@/components/ui/overlay'
import { addRecentRecord, parseRecordUrl } from './recent-records'

const loadPalette = () => import('./palette').then((module) => ({ default: module.Palette }))
const Palette = lazy(loadPalette)

type PaletteButtonProps = {
  icon: ReactNode
  icons: PageIcons
  platformAllowed: boolean
  onKeys: () => void
}

/** Opens on a click, `/` and Ctrl+K. The typed text is kept when the palette closes. */
export function PaletteButton({ icon, icons, platformAllowed, onKeys }: PaletteButtonProps) {
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [hasTypedAhead, setHasTypedAhead] = useState(false)
  const openPalette = () => {
    setHasTypedAhead(false)
    setOpen(true)
  }
  const handleEarlyTyping = (text: string) => {
    setHasTypedAhead(true)
    setTyped(text)
  }
  const closePalette = () => setOpen(false)
  useRecentRecordTracking()
  useShortcut('/', (event) => {
    event.preventDefault()
    openPalette()
  })
  useCommandKey(() => (open ? closePalette() : openPalette()))
  const openKeysSheet = () => {
    closePalette()
    onKeys()
  }
  return (
    <>
      <button
        type="button"
        onClick={openPalette}
        onPointerEnter={() => void loadPalette().catch(() => {})}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="ml-auto inline-flex size-8 shrink-0 items-center justify-center gap-2 rounded-sm text-ink-3 text-sm hover:bg-ink/6 md:w-40 md:justify-start lg:w-[22rem] md:border md:border-control md:bg-surface md:px-2.5 md:hover:border-ink-3 md:hover:bg-surface max-md:pointer-coarse:size-11 [&_svg]:size-4 [&_svg]:shrink-0"
      >
        {icon}
        <span className="max-md:sr-only">Find or go to</span>
        <Kbd aria-hidden="true" className="ml-auto max-md:hidden">
          Ctrl K
        </Kbd>
      </button>
      {open && (
        <Dialog
          aria-label="Find or go to"
          onClose={closePalette}
          className="mx-auto mt-[8dvh] w-[min(42rem,calc(100vw-1rem))] overflow-hidden max-sm:mt-2"
        >
          <Boundary fallback={<EarlySearchField typed={typed} onType={handleEarlyTyping} />}>
            <Palette
              typed={typed}
              ahead={hasTypedAhead}
              onType={setTyped}
              icons={icons}
              searchIcon={icon}
              platformAllowed={platformAllowed}
              onDone={closePalette}
              onKeys={openKeysSheet}
            />
          </Boundary>
        </Dialog>
      )}
    </>
  )
}

/** A plain input, shown until the palette's script has loaded. */
function EarlySearchField({ typed, onType }: { typed: string; onType: (text: string) => void }) {
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: a dialog opened by a key starts in its text field
      autoFocus
      onFocus={(event) => event.target.select()}
      aria-label="Find or go to"
      value={typed}
      onChange={(event) => onType(event.target.value)}
      className="h-12 w-full bg-transparent pr-4 pl-10.5 text-base outline-none"
    />
  )
}

/**
 * Calls `onPress` on Ctrl+K or ⌘+K, also in text fields. The preference that disables single-key
 * shortcuts does not apply to it.
 */
function useCommandKey(onPress: () => void) {
  useWindowEvent('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    onPress()
  })
}

function useRecentRecordTracking() {
  const pathname = usePathname()
  const search = useSearchParams()
  useEffect(() => {
    const record = parseRecordUrl(pathname, search)
    if (record) addRecentRecord(record)
  }, [pathname, search])
}
