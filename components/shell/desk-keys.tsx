'use client'

import { useRouter } from 'next/navigation'
import { lazy, type ReactNode, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { isShortcutIgnored, useShortcut } from '@/components/kits/layout/use-shortcut'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { PaletteButton } from '@/components/shell/palette/button'
import { Boundary } from '@/components/ui/boundary'
import { findPageByKey } from '@/lib/pages'
import { deskPath } from '@/lib/routes'
import type { PageIcons } from './page-icons'

/** Milliseconds to wait after `g` for the second key of the shortcut. */
const secondKeyTimeoutMs = 4000

const GoToHint = lazy(() => import('./go-to-hint').then((module) => ({ default: module.GoToHint })))

/** Opens a page when `g` and then its letter are pressed. After `g`, a hint lists the letters. */
export function GoToShortcutListener() {
  const context = usePageContext()
  const { preferences } = context
  const router = useRouter()
  const [isWaiting, setIsWaiting] = useState(false)
  useShortcut('g', (event) => {
    event.preventDefault()
    setIsWaiting(true)
  })
  const isListening = isWaiting && preferences.shortcuts
  const stopWaiting = () => setIsWaiting(false)
  const onSecondKey = (event: KeyboardEvent) => {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    stopWaiting()
    if (isShortcutIgnored(event)) return
    // Stops the event, so that the letter does not also trigger a single-key shortcut of the page.
    event.preventDefault()
    event.stopPropagation()
    const page = findPageByKey(event.key, context)
    if (page) router.push(deskPath(context, page.path))
  }
  useWindowEvent('keydown', onSecondKey, { active: isListening, capture: true })
  useWindowEvent('pointerdown', stopWaiting, { active: isListening })
  useTimeout(stopWaiting, isListening ? secondKeyTimeoutMs : null)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4"
    >
      {isListening && (
        <Boundary>
          <GoToHint />
        </Boundary>
      )}
    </div>
  )
}

const KeysSheet = lazy(() =>
  import('./keys-sheet').then((module) => ({ default: module.KeysSheet })),
)

export function GlobalShortcuts({
  icon,
  icons,
  platformAllowed,
}: {
  icon: ReactNode
  icons: PageIcons
  platformAllowed: boolean
}) {
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  useShortcut('?', () => setIsSheetOpen(true), true, {
    group: 'Everywhere',
    keys: { '/': 'Find or go to', '?': 'Show keyboard shortcuts' },
  })
  return (
    <>
      <PaletteButton
        icon={icon}
        icons={icons}
        platformAllowed={platformAllowed}
        onKeys={() => setIsSheetOpen(true)}
      />
      <GoToShortcutListener />
      {isSheetOpen && (
        <Boundary>
          <KeysSheet onClose={() => setIsSheetOpen(false)} />
        </Boundary>
      )}
    </>
  )
}
