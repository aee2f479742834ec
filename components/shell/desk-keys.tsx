'use client'

import { useRouter } from 'next/navigation'
import { lazy, type ReactNode, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { isElsewhere, useShortcut } from '@/components/kits/layout/use-shortcut'
import { useTimeout } from '@/components/kits/layout/use-timeout'
import { useWindowEvent } from '@/components/kits/layout/use-window-event'
import { PaletteButton } from '@/components/shell/palette/button'
import { Boundary } from '@/components/ui/boundary'
import { pageOfKey } from '@/lib/pages'
import { deskPath } from '@/lib/routes'
import type { PageIcons } from './page-icons'

/** Milliseconds to wait for the second key of a shortcut. */
const timeoutMs = 4000

const GoToHint = lazy(() => import('./go-to-hint').then((module) => ({ default: module.GoToHint })))

/** Opens a page after `g` and a letter. While it waits for the letter, it shows a hint with all letters. */
export function GoToKeys() {
  const context = usePageContext()
  const { preferences } = context
  const router = useRouter()
  const [waiting, setWaiting] = useState(false)
  useShortcut('g', (event) => {
    event.preventDefault()
    setWaiting(true)
  })
  const listening = waiting && preferences.shortcuts
  const stop = () => setWaiting(false)
  const onSecondKey = (event: KeyboardEvent) => {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    stop()
    if (isElsewhere(event)) return
    // The letter must not trigger a shortcut of the page.
    event.preventDefault()
    event.stopPropagation()
    const page = pageOfKey(event.key)
    if (page) router.push(deskPath(context, page.path))
  }
  useWindowEvent('keydown', onSecondKey, { active: listening, capture: true })
  useWindowEvent('pointerdown', stop, { active: listening })
  useTimeout(stop, listening ? timeoutMs : null)
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4">
      {listening && (
        <Boundary>
          <GoToHint />
        </Boundary>
      )}
    </div>
  )
}

const KeysSheet = lazy(() => import('./keys-sheet').then((module) => ({ default: module.KeysSheet })))

export function DeskKeys({ icon, icons, platformAllowed }: { icon: ReactNode; icons: PageIcons; platformAllowed: boolean }) {
  const [sheet, setSheet] = useState(false)
  useShortcut('?', () => setSheet(true), true, { group: 'Everywhere', keys: { '/': 'Find or go to', '?': 'Show keyboard shortcuts' } })
  return (
    <>
      <PaletteButton icon={icon} icons={icons} platformAllowed={platformAllowed} onKeys={() => setSheet(true)} />
      <GoToKeys />
      {sheet && (
        <Boundary>
          <KeysSheet onClose={() => setSheet(false)} />
        </Boundary>
      )}
    </>
  )
}
